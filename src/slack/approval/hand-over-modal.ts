import type { ModalView } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { plain, section } from '../ui/blocks.ts';
import { approvalValue, keyOf, type ShownRequest } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** The block of the chosen person, where an error about them is shown, too. */
export const APPROVER_BLOCK = 'approver';
const APPROVER_INPUT = 'approver_input';

/** Asks to whom a request goes. Its `private_metadata` is read by `parseApprovalValue`. */
export function handOverModal(model: ShownRequest & Pick<CardModel, 'crew' | 'taskName'>, say: Say): ModalView {
  return modal({
    callbackId: 'choose_approver',
    title: say('hand-over.title'),
    submit: say('hand-over.title'),
    close: say('modal.cancel'),
    metadata: approvalValue(keyOf(model)),
    blocks: [
      section(intro(model, say)),
      {
        type: 'input',
        block_id: APPROVER_BLOCK,
        label: plain(say('hand-over.label')),
        element: {
          type: 'users_select',
          action_id: APPROVER_INPUT,
          placeholder: plain(say('hand-over.choose')),
          focus_on_load: true,
        },
      },
    ],
  });
}

function intro({ crew, taskName }: Pick<CardModel, 'crew' | 'taskName'>, say: Say): string {
  const asking = { crew: escapedLine(crew, 80) };
  return taskName
    ? say('hand-over.intro', { ...asking, task: escapedLine(taskName, 120) })
    : say('hand-over.intro-unnamed', asking);
}

/** The id of the chosen person; empty if there is none. */
export function readApprover(values: FormValues): string {
  return typedText(values, APPROVER_BLOCK);
}
