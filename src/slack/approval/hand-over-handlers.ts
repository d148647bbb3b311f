import type { ViewOutput } from '@slack/bolt';
import type { Person } from '../../core/approval/approval.ts';
import { findDecidable } from '../../core/approval/decide.ts';
import { handOver } from '../../core/approval/hand-over.ts';
import { addRecipients } from '../../core/approval/recipients.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { ok } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ActionListener, ViewAnswer, ViewListener } from '../interaction/listeners.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { cutLine } from '../ui/text/cut.ts';
import { changeRequest } from './change-request.ts';
import { takeOverText } from './denial-text.ts';
import { tried } from './find-decidable-request.ts';
import { APPROVER_BLOCK, handOverModal, readApprover } from './hand-over-modal.ts';
import { modalOpener } from './open-modal.ts';
import { refusalAnswer } from './refused-click.ts';

export const onHandOver: ActionListener = modalOpener('hand-over', async (context, { card }) =>
  ok(handOverModal(card, await context.say())),
);

export const onApproverChosen: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const chosen = readApprover(view.state.values);
  const by = context.person;
  const isOther = chosen !== '' && chosen !== by.id;
  const to = isOther ? await personOf(context, chosen) : by;
  const stored = await changeRequest(context, {
    ...{ key, by, others: [to], action: 'hand-over' },
    transition: (execution, { approvalId, ...asked }) => {
      const { now, ...permission } = asked;
      if (!isOther) return tried(execution, findDecidable(execution, approvalId, { personId: by.id, ...asked }));
      const handed = handOver(execution, approvalId, { by, to, ...permission }, now);
      return handed.ok && handed.value !== execution ? ok(told(handed.value, approvalId, { to, now })) : handed;
    },
  });
  if (stored.ok && !isOther) {
    const say = await context.say();
    return ack(fieldError(chosen === '' ? say('hand-over.missing') : say('hand-over.yourself')));
  }
  await ack(stored.ok ? undefined : await answerTo(context, view, stored.refusal));
};

/** The new approver gets a direct message, unless they have one of this request. */
function told(execution: Execution, approvalId: string, { to, now }: { to: Person; now: Millis }): Execution {
  const people = [{ to: to.id, reason: 'handed-over' as const }];
  return addRecipients(execution, approvalId, { people, isComplete: true }, now);
}

async function personOf({ people }: ListenerContext, id: string): Promise<Person> {
  return { id, name: await people.nameOf({ id, name: id }) };
}

async function answerTo(context: ListenerContext, view: ViewOutput, refusal: Refusal): Promise<ViewAnswer> {
  if (refusal.kind !== 'cannot-take-over') return refusalAnswer(context, view, { refusal, typed: null });
  const say = await context.say();
  return fieldError(takeOverText(refusal.denial, { who: cutLine(refusal.to.name, 80), say }));
}

function fieldError(text: string): ViewAnswer {
  return { response_action: 'errors', errors: { [APPROVER_BLOCK]: text } };
}
