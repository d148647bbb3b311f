import type { ModalView } from '@slack/types';
import type { Refusal } from '../../core/approval/refusal.ts';
import { context, preformatted, section } from '../ui/blocks.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import type { NameOf } from '../ui/person.ts';
import { refusalText } from './refusal-text.ts';

/** Says why feedback or a note came too late, and gives it back for copying. */
export function lateFeedbackModal(refusal: Refusal, feedback: string, name: NameOf): ModalView {
  return modal({
    callbackId: 'answer',
    title: 'Not sent',
    blocks: [
      section(refusalText(refusal, name)),
      context('What you wrote was not sent. Here it is again, so that you can copy it:'),
      preformatted(feedback, TYPED_TEXT_LIMIT),
    ],
  });
}
