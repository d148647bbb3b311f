import type { Button } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';

/** Opens a request with its whole text, to be decided there. */
export function reviewButton({ ref, approvalId, output }: CardModel, say: Say): Button {
  return button('review', say('review.button'), { value: approvalValue({ ref, approvalId, hash: output.hash }) });
}
