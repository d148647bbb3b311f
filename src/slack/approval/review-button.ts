import type { Button } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';

/** Opens a request with its whole text, to be decided there. */
export function reviewButton(model: CardModel, say: Say): Button {
  return button('review', say('review.button'), { value: approvalValue(keyOf({ ...model, isRead: true })) });
}
