import type { KnownBlock } from '@slack/types';
import type { Say } from '../language/say.ts';
import { button, buttons } from '../ui/blocks.ts';
import { approvalValue, type TextKey } from '../ui/button-value.ts';
import type { AboutText } from './find-about-text.ts';

/** What can be decided about the text that is read; the handlers are those of the card's buttons. */
export function decisionButtons({ ref, hash, approvalId }: TextKey, { isOpen }: AboutText, say: Say): KnownBlock[] {
  if (!isOpen || approvalId === undefined) return [];
  const value = approvalValue({ ref, approvalId, hash, isRead: true });
  return buttons(
    button('approve', say('card.approve'), { value, style: 'primary' }),
    button('reject', say('card.request-changes'), { value }),
  );
}
