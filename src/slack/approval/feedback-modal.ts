import type { ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { plain, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** The block of the typed feedback, where an error about it is shown, too. */
export const FEEDBACK_BLOCK = 'feedback';
const FEEDBACK_INPUT = 'feedback_input';

/** Asks for the feedback that a rejection needs. Its `private_metadata` is read by `parseApprovalValue`. */
export function feedbackModal(model: Pick<CardModel, 'ref' | 'approvalId' | 'crew' | 'taskName' | 'round'>): ModalView {
  const what = model.taskName ? ` “${escapedLine(model.taskName, 120)}”` : '';
  return modal({
    callbackId: 'give_feedback',
    title: 'Reject with feedback',
    submit: 'Reject',
    close: 'Cancel',
    metadata: approvalValue(model),
    blocks: [
      section(`*${escapedLine(model.crew, 80)}* will try${what} again (round ${model.round + 1}) with your feedback.`),
      {
        type: 'input',
        block_id: FEEDBACK_BLOCK,
        label: plain('What should be better?'),
        hint: plain(
          'The whole text joins what the crew keeps in mind for its next try, so please keep it short and relevant.',
        ),
        element: {
          type: 'plain_text_input',
          action_id: FEEDBACK_INPUT,
          multiline: true,
          focus_on_load: true,
          max_length: TYPED_TEXT_LIMIT,
        },
      },
    ],
  });
}

/** The feedback without surrounding space. */
export function readFeedback(values: FormValues): string {
  return typedText(values, FEEDBACK_BLOCK).trim();
}
