// The buttons of a request that change something at once.
import type { ModalView } from '@slack/types';
import { askApprovers } from '../../../core/approval/alerts.ts';
import { sendAgain } from '../../../core/approval/resume.ts';
import { undo, withdraw } from '../../../core/approval/retract.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { type Execution, findApproval } from '../../../core/state/execution.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { showModal, tell } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { modalKey, showInstead } from '../../listening/modals.ts';
import { stageNames } from '../../request/card-state.ts';
import { approvalBy, approve, type Change, changeRequest } from '../../request/change-request.ts';
import { approveSoonModal, type WhySoon } from '../../request/note-modals.ts';
import { ackStored, findStanding, showOutcome, showTakenBack } from '../../request/outcome.ts';
import { explainRefusal, refusalAnswer, tellRefusal } from '../../request/refusal.ts';
import { type ApprovalKey, parseApprovalValue } from '../../ui/button-value.ts';
import { showChanged, showDecided } from '../home/show-again.ts';
import { findNoteForm } from './note.ts';
import { findSignIn } from './sign-in.ts';

/** A click that comes too soon is asked about, and one that takes a note asks for it. */
export const onApprove: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseApprovalValue(click.value);
  const { person: by } = context;
  const { stored, isRepeated, isUnread } = await approve(context, { key, by, message: click.message });
  if (stored.ok) {
    await ack();
    if (click.home) return showDecided(context, click);
    if (click.view)
      return showOutcome(context, modalKey(click.view), { execution: stored.value, key, verdict: 'approve' });
    return isRepeated ? tellVoted(context, click, stored.value) : undefined;
  }
  const asked = key ? await questionFor(context, key, { refusal: stored.refusal, isUnread }) : stored;
  await ack();
  if (asked.ok) await showModal(context, click, asked.value);
  else await tellRefusal(context, click, { refusal: asked.refusal, action: 'approve' });
  // What its row shows is out of date.
  if (click.home) await showChanged(context, click);
};

/** What an approval needs that was refused only for now; otherwise why it was refused. Throws where `changeRequest` does: don't ack then. */
async function questionFor(
  context: ListenerContext,
  key: ApprovalKey,
  { refusal, isUnread }: { refusal: Refusal; isUnread: boolean },
): Promise<Result<ModalView, Refusal>> {
  if (refusal.kind === 'note-missing') return findNoteForm(context, key);
  if (refusal.kind === 'sign-in-needed')
    return findSignIn(context, key, { by: context.person, note: null, review: 'unasked' });
  if (refusal.kind !== 'too-soon') return refuse(refusal);
  const why: WhySoon = isUnread ? { kind: 'just-opened' } : { kind: 'just-asked', afterMs: refusal.afterMs };
  return ok(approveSoonModal(key, why, await context.say()));
}

/** The card doesn't show that the person has voted before. */
async function tellVoted(context: ListenerContext, click: Click, execution: Execution): Promise<void> {
  const approval = findApproval(execution, parseApprovalValue(click.value)?.approvalId ?? '');
  if (approval?.status !== 'pending') return;
  const say = await context.say();
  const title = say('refusal.voted-title');
  const standing = findStanding(context, { execution, approval }, context.person.id);
  if (standing?.kind === 'stage')
    return tell(context, click, { title, text: say('denial.stage-approved', stageNames(standing.stage)) });
  const next = { kind: 'withdraw', ref: execution.ref, approvalId: approval.id, hash: approval.output.hash } as const;
  await tell(context, click, { title, text: say('refusal.voted-already'), next });
}

export const onApproveSoon: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const given = { by: context.person, note: null, review: 'confirmed' } as const;
  const stored = await changeRequest(context, { key, ...approvalBy(context, given) });
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', ack });
  const isToSignIn = key !== null && stored.refusal.kind === 'sign-in-needed';
  const asked = isToSignIn ? await findSignIn(context, key, given) : stored;
  await ack(
    asked.ok
      ? showInstead(view, asked.value)
      : await refusalAnswer(context, view, { refusal: asked.refusal, action: 'approve', typed: null }),
  );
};

export const onSendAgain: ActionListener = clickHandler((by) => ({
  action: 'send-again',
  transition: (execution, { approvalId, now, ...permission }) =>
    sendAgain(execution, approvalId, { by, ...permission }, now),
}));

export const onUndo: ActionListener = clickHandler(
  (by) => ({
    action: 'undo',
    transition: (execution, { approvalId, now, ...permission }) =>
      undo(execution, approvalId, { by, ...permission }, now),
  }),
  showTakenBack,
);

export const onWithdraw: ActionListener = clickHandler(
  (by) => ({
    action: 'withdraw',
    transition: (execution, { approvalId, now, ...permission }) =>
      withdraw(execution, approvalId, { by, ...permission }, now),
  }),
  showTakenBack,
);

/** Handles a button that changes something at once. A card shows that itself; a modal and the Home tab don't. */
function clickHandler(
  changeOf: (by: Change['by']) => Pick<Change, 'action' | 'transition'>,
  show?: typeof showTakenBack,
): ActionListener {
  return async ({ ack, body, context }) => {
    const click = clickOf(body);
    const { person: by } = context;
    const key = parseApprovalValue(click.value);
    const change = changeOf(by);
    const stored = await changeRequest(context, { key, by, message: click.message, ...change });
    await ack();
    if (!stored.ok) return tellRefusal(context, click, { refusal: stored.refusal, action: change.action });
    if (click.home) return showDecided(context, click);
    if (click.view) await show?.(context, click, { execution: stored.value, key });
  };
}

/** Has those mentioned in the thread who can decide, on behalf of a person who can't. */
export const onAskApprovers: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { person: by } = context;
  const asked = await changeRequest(context, {
    key: parseApprovalValue(click.value),
    by,
    action: 'ask-approvers',
    transition: (execution, { approvalId, now, ...permission }) =>
      askApprovers(execution, approvalId, { by, ...permission }, now),
  });
  await ack();
  const say = await context.say();
  if (asked.ok) return tell(context, click, { title: say('ask.done-title'), text: say('ask.done') });
  const { text } = await explainRefusal(context, click.value, asked.refusal);
  await tell(context, click, { title: say('refusal.cant-ask-approvers'), text });
};
