import type { KnownBlock, ModalView } from '@slack/types';
import { context, preformatted, section } from '../ui/blocks.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';

/** Says why feedback or a note was not sent, as mrkdwn, and gives back what was typed, for copying. */
export function lateFeedbackModal(
  why: string,
  { typed, more = [] }: { typed: string; more?: readonly KnownBlock[] },
): ModalView {
  return modal({
    callbackId: 'answer',
    title: 'Not sent',
    blocks: [
      section(why),
      ...more,
      context('What you wrote was not sent. Here it is again, so that you can copy it:'),
      preformatted(typed, TYPED_TEXT_LIMIT),
    ],
  });
}
