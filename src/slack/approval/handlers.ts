import { decide } from '../../core/approval/decide.ts';
import { sendAgain } from '../../core/approval/resume.ts';
import { undo } from '../../core/approval/undo.ts';
import { withdraw } from '../../core/approval/withdraw.ts';
import { APPROVAL_TEXT } from '../../core/crew.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import { tellRefusal } from './refused-click.ts';

type ApprovalChange = Parameters<typeof changeRequest>[1];

export const onApprove: OnClick = clickHandler((context, by) => ({
  action: 'approve',
  transition: (execution, { approvalId, now, ...permission }) => {
    const text = context.crews.get(execution.crew)?.approvalText ?? APPROVAL_TEXT;
    const choice = { verdict: 'approve', feedback: null, text } as const;
    return decide(execution, approvalId, { choice, by, ...permission }, now);
  },
}));

export const onSendAgain: OnClick = clickHandler((_, by) => ({
  action: 'send-again',
  transition: (execution, { approvalId, now, ...permission }) =>
    sendAgain(execution, approvalId, { by, ...permission }, now),
}));

export const onUndo: OnClick = clickHandler((_, by) => ({
  action: 'undo',
  transition: (execution, { approvalId, now, ...permission }) =>
    undo(execution, approvalId, { by, ...permission }, now),
}));

export const onWithdraw: OnClick = clickHandler((_, by) => ({
  action: 'withdraw',
  transition: (execution, { approvalId, now }) => withdraw(execution, approvalId, by, now),
}));

/** Handles a button of a card that changes something at once. */
function clickHandler(
  changeOf: (
    context: Parameters<OnClick>[0],
    by: ApprovalChange['by'],
  ) => Pick<ApprovalChange, 'action' | 'transition'>,
): OnClick {
  return async (context, click, ack) => {
    const { person: by } = click.actor;
    const key = parseApprovalValue(click.value);
    const stored = await changeRequest(context, { key, by, cardTs: click.message?.ts, ...changeOf(context, by) });
    await ack();
    if (!stored.ok) await tellRefusal(context, click, stored.refusal);
  };
}
