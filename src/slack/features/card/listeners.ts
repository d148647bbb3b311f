// Listeners for the buttons of a request that change something at once.
import type { ModalView } from '@slack/types';
import { verdictUnder } from '../../../core/policy/outcomes.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { askApprovers } from '../../../core/request/alerts.ts';
import { sendAgain } from '../../../core/request/resume.ts';
import { undo, withdraw } from '../../../core/request/retract.ts';
import { type Execution, findRequest } from '../../../core/state/execution.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { answerClick, showModal } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext, ViewListener } from '../../listening/context.ts';
import { answerInPlace, modalKey } from '../../listening/modals.ts';
import { stageNames } from '../../request/card-state.ts';
import { approve, type Change, changeRequest, outcomeChosen } from '../../request/change-request.ts';
import { rulesNow } from '../../request/denial.ts';
import { approveSoonModal, type WhySoon } from '../../request/note-modals.ts';
import { findStanding, showOutcome, showTakenBack } from '../../request/outcome.ts';
import { explainRefusal, showRefusal } from '../../request/refusal.ts';
import { parseApprovalValue, type RequestKey } from '../../ui/button-value.ts';
import { refreshHomeAfterChange, refreshHomeAfterDecision } from '../home/show-again.ts';
import { onReject } from './feedback.ts';
import { findNoteForm } from './note.ts';
import { findSignIn, submitApproval } from './sign-in.ts';

/** Approves, or opens a window if the click comes too soon or needs a note or a sign-in. */
export const onApprove: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseApprovalValue(click.value);
  const { person: by } = context;
  const { stored, isRepeated, isUnread } = await approve(context, { key, by, message: click.message });
  if (stored.ok) {
    await ack();
    if (click.home) return refreshHomeAfterDecision(context, click);
    if (click.view)
      return showOutcome(context, modalKey(click.view), { execution: stored.value, key, verdict: 'approve' });
    return isRepeated ? answerVoted(context, click, stored.value) : undefined;
  }
  const question = key ? await questionFor(context, key, { refusal: stored.refusal, isUnread }) : stored;
  await ack();
  if (question.ok) await showModal(context, click, question.value);
  else await showRefusal(context, click, { refusal: question.refusal, action: 'approve' });
  // The row in the Home is out of date.
  if (click.home) await refreshHomeAfterChange(context, click);
};

/** Returns the window for what an approval still needs, or the refusal. Throws where `changeRequest` does: don't ack then. */
async function questionFor(
  context: ListenerContext,
  key: RequestKey,
  { refusal, isUnread }: { refusal: Refusal; isUnread: boolean },
): Promise<Result<ModalView, Refusal>> {
  if (refusal.kind === 'note-missing') return findNoteForm(context, key);
  if (refusal.kind === 'sign-in-needed')
    return findSignIn(context, key, { by: context.person, note: null, review: 'unasked' });
  if (refusal.kind !== 'too-soon') return refuse(refusal);
  const why: WhySoon = isUnread ? { kind: 'just-opened' } : { kind: 'just-asked', afterMs: refusal.afterMs };
  return ok(approveSoonModal(key, why, await context.say()));
}

/** Says that the person has voted before, which the card doesn't show. */
async function answerVoted(context: ListenerContext, click: Click, execution: Execution): Promise<void> {
  const request = findRequest(execution, parseApprovalValue(click.value)?.approvalId ?? '');
  if (request?.state.status !== 'pending') return;
  const say = await context.say();
  const title = say('refusal.voted-title');
  const standing = findStanding(context, { execution, request }, context.person.id);
  if (standing?.kind === 'stage')
    return answerClick(context, click, { title, text: say('denial.stage-approved', stageNames(standing.stage)) });
  const next = {
    kind: 'withdraw',
    ref: execution.ref,
    approvalId: request.id,
    hash: request.question.output.hash,
  } as const;
  await answerClick(context, click, { title, text: say('refusal.voted-already'), next });
}

export const onApproveSoon: ViewListener = async ({ ack, context, view }) => {
  const key = parseApprovalValue(view.private_metadata);
  const approval = { key, by: context.person, note: null, review: 'confirmed' } as const;
  await submitApproval({ ack, context, view }, approval, { typed: null, showSignIn: answerInPlace });
};

/** Approves at once by an outcome that approves. An outcome that rejects asks for feedback first, like *Reject…*. */
export const onOutcome: ActionListener = async (args) => {
  const key = parseApprovalValue(clickOf(args.body).value);
  const verdict = key ? await verdictChosen(args.context, key) : 'approve';
  return verdict === 'approve' ? onApprove(args) : onReject(args);
};

/** The outcomes of a request never change. */
const RECENT_MS = 60_000;

/** Judges by the policy of now, which the decision asks again. Throws `StoreUnavailable`. */
async function verdictChosen(context: ListenerContext, key: RequestKey): Promise<'approve' | 'reject'> {
  const execution = (await context.store.load(key.ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findRequest(execution, key.approvalId);
  const outcome = execution && outcomeChosen(execution, key);
  if (!request || !outcome) return 'approve';
  const { policies } = rulesNow(context, execution, request);
  return policies.length > 0 ? verdictUnder(outcome, policies) : 'approve';
}

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

/** Returns the listener of a button that changes something at once. A card shows that itself, but a modal and the Home tab don't. */
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
    if (!stored.ok) return showRefusal(context, click, { refusal: stored.refusal, action: change.action });
    if (click.home) return refreshHomeAfterDecision(context, click);
    if (click.view) await show?.(context, click, { execution: stored.value, key });
  };
}

/** Mentions the people who can decide in the thread, on behalf of a person who can't. */
export const onAskApprovers: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { person: by } = context;
  const stored = await changeRequest(context, {
    key: parseApprovalValue(click.value),
    by,
    action: 'ask-approvers',
    transition: (execution, { approvalId, now, ...permission }) =>
      askApprovers(execution, approvalId, { by, ...permission }, now),
  });
  await ack();
  const say = await context.say();
  if (stored.ok) return answerClick(context, click, { title: say('ask.done-title'), text: say('ask.done') });
  const { text } = await explainRefusal(context, click.value, stored.refusal);
  await answerClick(context, click, { title: say('refusal.cant-ask-approvers'), text });
};
