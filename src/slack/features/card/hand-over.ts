// Listeners for *Add an approver…*.
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { givingRefusal } from '../../../core/policy/permission.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { addRecipients } from '../../../core/request/alerts.ts';
import { findDecidable } from '../../../core/request/decide.ts';
import { handOver } from '../../../core/request/hand-over.ts';
import type { Execution } from '../../../core/state/execution.ts';
import type { Person } from '../../../core/state/request.ts';
import { ok, refuse } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import type { ActionListener, ListenerContext, ViewAnswer, ViewListener } from '../../listening/context.ts';
import { fieldError } from '../../listening/modals.ts';
import { changeRequest } from '../../request/change-request.ts';
import { takeOverText } from '../../request/denial.ts';
import { answerWithRefusal, modalOpener } from '../../request/refusal.ts';
import { plain, section } from '../../ui/blocks.ts';
import {
  approvalValue,
  type FormValues,
  keyOf,
  parseApprovalValue,
  type ShownRequest,
  typedText,
} from '../../ui/button-value.ts';
import { input } from '../../ui/inputs.ts';
import { modal } from '../../ui/modal.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';

export const onHandOver: ActionListener = modalOpener('hand-over', async (context, { by, card, ...permitted }) => {
  const refusal = givingRefusal(permitted, by.id);
  return refusal ? refuse(refusal) : ok(handOverModal(card, await context.say()));
});

export const onApproverChosen: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const chosen = readApprover(view.state.values);
  const by = context.person;
  const isOther = chosen !== '' && chosen !== by.id;
  const to = isOther ? { id: chosen, name: await context.people.nameOf({ id: chosen, name: chosen }) } : by;
  const stored = await changeRequest(context, {
    key,
    by,
    others: [to],
    action: 'hand-over',
    transition: (execution, { approvalId, ...conditions }) => {
      const { now, ...permission } = conditions;
      if (!isOther) {
        const decidable = findDecidable(execution, approvalId, { personId: by.id, ...conditions });
        return decidable.ok ? ok(execution) : decidable;
      }
      const result = handOver(execution, approvalId, { by, to, ...permission }, now);
      return result.ok && result.value !== execution
        ? ok(withDirectMessage(result.value, approvalId, { to, now }))
        : result;
    },
  });
  if (stored.ok && !isOther) {
    const say = await context.say();
    return ack(fieldError(APPROVER_BLOCK, chosen === '' ? say('hand-over.missing') : say('hand-over.yourself')));
  }
  await ack(stored.ok ? undefined : await answerTo(context, view, stored.refusal));
};

/** Adds a direct message to the new approver, unless they have one about this request. */
function withDirectMessage(
  execution: Execution,
  approvalId: string,
  { to, now }: { to: Person; now: Millis },
): Execution {
  const people = [{ to: to.id, reason: 'handed-over' as const }];
  return addRecipients(execution, approvalId, { people, untold: 0, isComplete: true }, now);
}

async function answerTo(context: ListenerContext, view: ViewOutput, refusal: Refusal): Promise<ViewAnswer> {
  const say = await context.say();
  if (refusal.kind === 'no-delegation') return fieldError(APPROVER_BLOCK, say('refusal.no-delegation'));
  if (refusal.kind !== 'cannot-take-over')
    return answerWithRefusal(context, view, { refusal, action: 'hand-over', typed: null });
  return fieldError(APPROVER_BLOCK, takeOverText(refusal.denial, { who: cutLine(refusal.to.name, 80), say }));
}

const APPROVER_BLOCK = 'approver';

/** Asks who is to be added as an approver. `parseApprovalValue` reads its `private_metadata`. */
export function handOverModal(model: ShownRequest & Pick<CardModel, 'crew' | 'taskName'>, say: Say): ModalView {
  const { taskName } = model;
  const crew = escapedLine(model.crew, 80);
  const intro = taskName
    ? say('hand-over.intro', { crew, task: escapedLine(taskName, 120) })
    : say('hand-over.intro-unnamed', { crew });
  return modal(say, {
    callbackId: 'choose_approver',
    title: say('hand-over.title'),
    submit: say('hand-over.add'),
    metadata: approvalValue(keyOf(model)),
    blocks: [
      section(intro),
      input(APPROVER_BLOCK, {
        label: say('hand-over.label'),
        element: {
          type: 'users_select',
          action_id: 'approver_input',
          placeholder: plain(say('hand-over.choose')),
          focus_on_load: true,
        },
      }),
    ],
  });
}

/** Reads the id of the chosen person. Empty if there is none. */
export function readApprover(values: FormValues): string {
  return typedText(values, APPROVER_BLOCK);
}
