import type { KnownBlock, ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { context, preformatted, section } from '../ui/blocks.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';

/** Says why feedback or a note was not sent, as mrkdwn, and gives back what was typed, for copying. */
export function lateFeedbackModal(
  why: string,
  { typed, more = [] }: { typed: string; more?: readonly KnownBlock[] },
  say: Say,
): ModalView {
  return modal({
    callbackId: 'answer',
    title: say('late.title'),
    close: say('modal.close'),
    blocks: [section(why), ...more, context(say('late.typed')), preformatted(typed, TYPED_TEXT_LIMIT)],
  });
}
