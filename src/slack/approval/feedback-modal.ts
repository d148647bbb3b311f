import type { ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { plain, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { inline } from '../ui/person.ts';

/** Where the typed feedback is found, and where an error about it is shown. */
export const FEEDBACK_BLOCK = 'feedback';
const FEEDBACK_INPUT = 'feedback_input';

/** Asks for the feedback that a rejection needs. Its `private_metadata` is read by `parseApprovalValue`. */
export function feedbackModal(model: Pick<CardModel, 'ref' | 'approvalId' | 'crew' | 'taskName' | 'round'>): ModalView {
  const what = model.taskName ? ` “${inline(model.taskName, 120)}”` : '';
  return modal({
    callbackId: 'give_feedback',
    title: 'Reject with feedback',
    submit: 'Reject',
    close: 'Cancel',
    metadata: approvalValue(model),
    blocks: [
      section(`*${inline(model.crew, 80)}* will try${what} again (round ${model.round + 1}) with your feedback.`),
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

/** The feedback as typed; empty where nothing but space was typed. */
export function readFeedback(values: FormValues): string {
  return typedText(values, FEEDBACK_BLOCK).trim();
}
