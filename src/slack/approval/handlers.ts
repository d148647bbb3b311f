import { sendAgain } from '../../core/approval/resume.ts';
import { undo } from '../../core/approval/undo.ts';
import { withdraw } from '../../core/approval/withdraw.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import { showModal, tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { OnClick, OnSubmit } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { updateModal } from '../interaction/modals.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { approveSoonModal } from './approve-soon-modal.ts';
import type { Change } from './change-request.ts';
import { changeRequest } from './change-request.ts';
import { plainApproval } from './plain-approval.ts';
import { refusalAnswer, tellRefusal } from './refused-click.ts';

/** A click that comes too soon is asked about. */
export const onApprove: OnClick = async (context, click, ack) => {
  const key = parseApprovalValue(click.value);
  const { transition, ...approval } = plainApproval(context, click.actor.person, 'unasked');
  let isRepeated = false;
  const stored = await changeRequest(context, {
    ...{ key, cardTs: click.message?.ts, ...approval },
    transition: (execution, asked) => {
      const decided = transition(execution, asked);
      isRepeated = decided.ok && decided.value === execution;
      return decided;
    },
  });
  await ack();
  if (stored.ok) return isRepeated || click.view ? tellApproved(context, click, stored.value) : undefined;
  if (key && stored.refusal.kind === 'too-soon')
    await showModal(context, click, approveSoonModal(key, stored.refusal.afterMs, await context.say()));
  else await tellRefusal(context, click, stored.refusal);
};

/** The card shows it, but not if the person has voted before, or is looking at a modal. */
async function tellApproved(context: ListenerContext, click: Click, execution: Execution): Promise<void> {
  const approvalId = parseApprovalValue(click.value)?.approvalId ?? '';
  const isOpen = findApproval(execution, approvalId)?.status === 'pending';
  if (!isOpen && !click.view) return;
  const say = await context.say();
  const told = { title: say('refusal.voted-title'), text: say(isOpen ? 'refusal.voted-already' : 'approved.stored') };
  if (click.view) await updateModal(context, { viewId: click.view.id }, answerModal(say, told));
  else await tell(context, click, told);
}

export const onApproveSoon: OnSubmit = async (context, submission, ack) => {
  const { view, actor } = submission;
  const approval = plainApproval(context, actor.person, 'confirmed');
  const stored = await changeRequest(context, { key: parseApprovalValue(view.metadata), ...approval });
  await ack(
    stored.ok ? { kind: 'clear' } : await refusalAnswer(context, submission, { refusal: stored.refusal, typed: null }),
  );
};

export const onSendAgain: OnClick = clickHandler((by) => ({
  action: 'send-again',
  transition: (execution, { approvalId, now, ...permission }) =>
    sendAgain(execution, approvalId, { by, ...permission }, now),
}));

export const onUndo: OnClick = clickHandler((by) => ({
  action: 'undo',
  transition: (execution, { approvalId, now, ...permission }) =>
    undo(execution, approvalId, { by, ...permission }, now),
}));

export const onWithdraw: OnClick = clickHandler((by) => ({
  action: 'withdraw',
  transition: (execution, { approvalId, now }) => withdraw(execution, approvalId, by, now),
}));

/** Handles a button of a card that changes something at once. */
function clickHandler(changeOf: (by: Change['by']) => Pick<Change, 'action' | 'transition'>): OnClick {
  return async (context, click, ack) => {
    const { person: by } = click.actor;
    const key = parseApprovalValue(click.value);
    const stored = await changeRequest(context, { key, by, cardTs: click.message?.ts, ...changeOf(by) });
    await ack();
    if (!stored.ok) await tellRefusal(context, click, stored.refusal);
  };
}
