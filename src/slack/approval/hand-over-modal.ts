import type { ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { plain, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** The block of the chosen person, where an error about them is shown, too. */
export const APPROVER_BLOCK = 'approver';
const APPROVER_INPUT = 'approver_input';

/** Asks to whom a request goes. Its `private_metadata` is read by `parseApprovalValue`. */
export function handOverModal(model: Pick<CardModel, 'ref' | 'approvalId' | 'crew' | 'taskName'>): ModalView {
  const task = model.taskName ? ` of “${escapedLine(model.taskName, 120)}”` : '';
  return modal({
    callbackId: 'choose_approver',
    title: 'Hand over',
    submit: 'Hand over',
    close: 'Cancel',
    metadata: approvalValue(model),
    blocks: [
      section(
        `*${escapedLine(model.crew, 80)}* asks for approval${task}. The person you choose can decide it, too, and gets a ` +
          'direct message. The card shows that you handed it over.',
      ),
      {
        type: 'input',
        block_id: APPROVER_BLOCK,
        label: plain('Who should decide?'),
        element: {
          type: 'users_select',
          action_id: APPROVER_INPUT,
          placeholder: plain('Choose a person'),
          focus_on_load: true,
        },
      },
    ],
  });
}

/** The id of the chosen person; empty if there is none. */
export function readApprover(values: FormValues): string {
  return typedText(values, APPROVER_BLOCK);
}
