import type { Button } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { textValue } from '../ui/button-value.ts';

/** Opens the whole text that a card asks about. */
export function readButton({ ref, approvalId, output, taskName, crew, round }: CardModel, say: Say): Button {
  const title = `${taskName ?? crew}, ${say('card.round', { round })}`;
  return button('read_all', say('text.read'), {
    value: textValue({ ref, hash: output.hash, title, rest: 'attached', approvalId }),
  });
}
