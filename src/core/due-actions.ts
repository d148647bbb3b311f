import { expiryShownAt } from './execution/expiry.ts';
import { completedAt } from './execution/workflow-steps.ts';
import { dueMessages, threadSoughtAt } from './messages/due-messages.ts';
import { recipientsDueAt } from './request/alerts.ts';
import { handOverEndsAt } from './request/hand-over.ts';
import { judgingDueAt } from './request/name-task.ts';
import { ANSWER_MS, crewAnswerAt } from './request/resume.ts';
import { decidersDueAt } from './request/undecidable.ts';
import { claimedAt, nextCheckAt } from './state/claim.ts';
import { crewCheckedAt, type Execution, isHeld, missesCrew, type WorkflowStep } from './state/execution.ts';
import { type Message, type MessagePost, messageKey, postOf, postsOf, ROOT } from './state/message.ts';
import { isOver } from './state/post.ts';
import type { HumanRequest } from './state/request.ts';
import type { Millis } from './values/time.ts';

// Finds what an execution needs next, and when, from its state alone. Redis queues executions by `dueAt`; the worker does the rest.

/** An action that an execution needs next. The state is its own outbox. */
export type DueAction =
  | { kind: 'resume'; approvalId: string }
  /** A decline that the crew isn't told can't be undone any more. */
  | { kind: 'decline'; approvalId: string }
  | { kind: 'remind' | 'escalate' | 'expire'; approvalId: string }
  /** Finds out whether the votes on a request are complete under the remaining rules. */
  | { kind: 'judge-votes'; approvalId: string }
  /** Finds out whether enough people can decide a request. */
  | { kind: 'find-deciders'; approvalId: string }
  /** Finds the recipients of direct messages about a request. */
  | { kind: 'find-recipients'; approvalId: string }
  /** Ends hand-overs for an absence that is over. */
  | { kind: 'end-hand-overs'; approvalId: string }
  | { kind: 'kickoff' }
  | { kind: 'post'; message: Message }
  | { kind: 'update'; message: Message }
  | { kind: 'private-answer'; to: string }
  /** Tells Slack that a step of one of its workflows is done. */
  | { kind: 'complete-step'; stepId: string }
  /** Notifies the person who started the run of how the start went. */
  | { kind: 'starter-notice' }
  /** Ends claims of calls that can no longer be answered, as their process has died. */
  | { kind: 'check-claims' }
  /** Shows the latest step of the agents in the status of the thread. */
  | { kind: 'catch-up' }
  /** Asks the crew for the run's status. */
  | { kind: 'poll' }
  /** Finds out whether a run that was started elsewhere may be followed. */
  | { kind: 'check-adoption' }
  /** Finds the place of an ask in its thread. */
  | { kind: 'find-thread' }
  /** Asks people about a request that may repeat a notice. */
  | { kind: 'ask-repeat' }
  /** Looks whether the crew is configured again. */
  | { kind: 'check-crew' }
  /** Says on cards that the texts are about to expire. */
  | { kind: 'tell-expiry' };

interface ScheduledAction {
  at: Millis;
  action: DueAction;
}

/** Returns the time at which the next action is due; null if there is none. */
export function dueAt(execution: Execution): Millis | null {
  return earliest(scheduledActions(execution));
}

/** Time for which actions that can be repeated are left to the process that changed the run last. It stores their outcome later. */
export const LEFT_MS: ReadonlyMap<DueAction['kind'], Millis> = new Map([
  ['update', 5_000],
  ['poll', 15_000],
]);

/**
 * Returns the time from which other processes may claim the execution: when its next action is due, and the process that changed
 * the execution last has had its chance; null if no action is due at all. If a call or a card is due by `from`, looks at calls and
 * cards only, without working out what every message should show. While a call is under way, returns the time at which its answer is
 * expected: the answer changes the state, and this is asked again.
 * @param from the earliest time to return
 */
export function claimableAt(execution: Execution, from: Millis): Millis | null {
  if (isHeld(execution) || SCHEDULED.has(execution)) return earliest(scheduledActions(execution), from);
  const nextCall = earliest(crewCalls(execution));
  if (nextCall !== null && nextCall <= from) return from;
  const answeredAt = execution.requests.map((request) => answerAt(execution, request)).find((at) => at >= from);
  if (answeredAt !== undefined) return answeredAt;
  const nextCard = earliest(cardActions(execution));
  const isCardDue = nextCard !== null && nextCard <= from;
  return earliest(isCardDue ? [...crewCalls(execution), ...cardActions(execution)] : scheduledActions(execution), from);
}

/** Returns when the answer to a call that was claimed for a request is expected; 0 if none was claimed. */
function answerAt(execution: Execution, request: HumanRequest): Millis {
  if (request.state.status === 'sending') return crewAnswerAt(request, ANSWER_MS);
  const card = postOf(execution, { kind: 'card', approvalId: request.id });
  const postedFrom = card?.status === 'posting' ? claimedAt(card) : null;
  return postedFrom === null ? 0 : postedFrom + ANSWER_MS;
}

/** Returns the time at which the first action is due; with `from`, the time from which any process may begin one. */
function earliest(scheduled: ScheduledAction[], from: Millis | null = null): Millis | null {
  let first: Millis | null = null;
  for (const { at, action } of scheduled) {
    const time = from === null ? at : Math.max(at, from) + (LEFT_MS.get(action.kind) ?? 0);
    if (first === null || time < first) first = time;
  }
  return first;
}

/** Returns the actions that are due now, most urgent first: decisions and cards before reports. */
export function dueActionsAt(execution: Execution, now: Millis): DueAction[] {
  return scheduledActions(execution)
    .filter(({ at }) => at <= now)
    .map(({ action }) => action);
}

/**
 * Finds those due actions that people wait for: calls to the crew or, where none is to be made, cards. It doesn't work out what
 * every other message should show.
 * @param isUnderWay whether an action has been started already
 */
export function firstActionsAt(
  execution: Execution,
  now: Millis,
  isUnderWay: (action: DueAction) => boolean,
): DueAction[] {
  if (isHeld(execution)) return [];
  const startable = (scheduled: ScheduledAction[]) =>
    scheduled.flatMap(({ at, action }) =>
      at <= now && FIRST.includes(action.kind) && !isUnderWay(action) ? [action] : [],
    );
  const calls = startable(crewCalls(execution));
  return calls.length > 0 ? calls : startable(cardActions(execution));
}

const FIRST: readonly DueAction['kind'][] = ['resume', 'kickoff', 'post', 'update'];

/** Identifies an action among those of its execution. */
export function dueActionKey(action: DueAction): string {
  switch (action.kind) {
    case 'post':
    case 'update':
      return `${action.kind} ${messageKey(action.message)}`;
    case 'resume':
    case 'decline':
    case 'remind':
    case 'escalate':
    case 'expire':
    case 'judge-votes':
    case 'find-deciders':
    case 'find-recipients':
    case 'end-hand-overs':
      return `${action.kind} ${action.approvalId}`;
    case 'private-answer':
      return `private answer to ${action.to}`;
    case 'complete-step':
      return `${action.kind} ${action.stepId}`;
    case 'kickoff':
    case 'starter-notice':
    case 'check-claims':
    case 'catch-up':
    case 'poll':
    case 'check-adoption':
    case 'find-thread':
    case 'check-crew':
    case 'ask-repeat':
    case 'tell-expiry':
      return action.kind;
  }
}

/** A state never changes, and is asked several times what it needs. */
type Memo = WeakMap<Execution, ScheduledAction[]>;
const SCHEDULED: Memo = new WeakMap();
const CARDS: Memo = new WeakMap();

function scheduledActions(execution: Execution): ScheduledAction[] {
  return memoized(SCHEDULED, execution, isHeld(execution) ? adoptionHoldActions : allActions);
}

function cardActions(execution: Execution): ScheduledAction[] {
  return memoized(CARDS, execution, (each) => messageActions(each, postsOf(each).filter(isCard)));
}

function memoized(
  memo: Memo,
  execution: Execution,
  find: (execution: Execution) => ScheduledAction[],
): ScheduledAction[] {
  const actions = memo.get(execution) ?? find(execution);
  memo.set(execution, actions);
  return actions;
}

function allActions(execution: Execution): ScheduledAction[] {
  return withoutMissingCrew(execution, [
    ...crewCalls(execution),
    ...execution.requests.flatMap(timeActions),
    ...execution.requests.flatMap((request) =>
      timer(recipientsDueAt(execution, request), { kind: 'find-recipients', approvalId: request.id }),
    ),
    ...execution.privateAnswers.map(
      ({ to, notBefore: at }): ScheduledAction => ({ at, action: { kind: 'private-answer', to } }),
    ),
    ...execution.workflowSteps.flatMap((step) => stepActions(execution, step)),
    ...(execution.origin.kind === 'ask' ? timer(threadSoughtAt(execution), { kind: 'find-thread' }) : []),
    ...cardActions(execution),
    ...messageActions(
      execution,
      postsOf(execution).filter((each) => !isCard(each)),
    ),
    ...starterNoticeActions(execution),
    ...timer(execution.activity.refreshAt, { kind: 'catch-up' }),
    ...timer(execution.poll.nextAt, { kind: 'poll' }),
    ...execution.possibleRepeats.flatMap(({ due }) => timer(due?.at ?? null, { kind: 'ask-repeat' })),
    ...timer(crewCheckedAt(execution), { kind: 'check-crew' }),
    ...execution.requests.flatMap((request) =>
      timer(decidersDueAt(execution, request), { kind: 'find-deciders', approvalId: request.id }),
    ),
    ...timer(expiryShownAt(execution), { kind: 'tell-expiry' }),
  ]);
}

/** Actions that need a configured crew: calls to it, and whatever its rules decide. Answers to earlier calls are still awaited. */
const BY_CREW: readonly DueAction['kind'][] = [
  'resume',
  'kickoff',
  'poll',
  'remind',
  'escalate',
  'expire',
  'judge-votes',
  'find-deciders',
  'find-recipients',
  'ask-repeat',
];

function withoutMissingCrew(execution: Execution, actions: ScheduledAction[]): ScheduledAction[] {
  return missesCrew(execution) ? actions.filter(({ action }) => !BY_CREW.includes(action.kind)) : actions;
}

function crewCalls(execution: Execution): ScheduledAction[] {
  return withoutMissingCrew(execution, [...execution.requests.flatMap(resumeActions), ...kickoffActions(execution)]);
}

function adoptionHoldActions({ origin }: Execution): ScheduledAction[] {
  if (origin.kind !== 'elsewhere' || !origin.adoptionHold) return [];
  return [{ at: origin.adoptionHold.checkAt, action: { kind: 'check-adoption' } }];
}

function resumeActions({ id: approvalId, state }: HumanRequest): ScheduledAction[] {
  switch (state.status) {
    case 'decided': {
      const kind = state.decision.text === null ? 'decline' : 'resume';
      return [{ at: state.sendAt, action: { kind, approvalId } }];
    }
    case 'sending':
      return [{ at: nextCheckAt(state), action: { kind: 'check-claims' } }];
    case 'pending':
    case 'delivered':
    case 'failed':
    case 'superseded':
    case 'declined':
    case 'expired':
      return [];
  }
}

/** Returns the timers of an undecided request. */
function timeActions(request: HumanRequest): ScheduledAction[] {
  const { id: approvalId } = request;
  const { status } = request.state;
  const { times } = request.discussion;
  if (status !== 'pending') return [];
  return [
    ...timer(times.expireAt, { kind: 'expire', approvalId }),
    ...timer(times.escalateAt, { kind: 'escalate', approvalId }),
    ...timer(times.remindAt, { kind: 'remind', approvalId }),
    ...timer(judgingDueAt(request), { kind: 'judge-votes', approvalId }),
    ...timer(handOverEndsAt(request), { kind: 'end-hand-overs', approvalId }),
  ];
}

function kickoffActions({ kickoff }: Execution): ScheduledAction[] {
  switch (kickoff.status) {
    case 'due':
      return [{ at: kickoff.notBefore, action: { kind: 'kickoff' } }];
    case 'sending':
      return [{ at: nextCheckAt(kickoff), action: { kind: 'check-claims' } }];
    case 'settled':
      return [];
  }
}

function stepActions(execution: Execution, step: WorkflowStep): ScheduledAction[] {
  if (step.completion.status === 'sending')
    return [{ at: nextCheckAt(step.completion), action: { kind: 'check-claims' } }];
  return timer(completedAt(execution, step), { kind: 'complete-step', stepId: step.id });
}

function isCard({ message }: MessagePost): boolean {
  return message.kind === 'card';
}

function messageActions(execution: Execution, posts: MessagePost[]): ScheduledAction[] {
  return dueMessages(execution, posts).map(({ at, kind, message }) => ({
    at,
    action: kind === 'check-claims' ? { kind } : { kind, message },
  }));
}

/**
 * Returns the notice to the starter when it is due. After a successful start it links to the thread, and so waits for it; a failure
 * is reported at once.
 */
function starterNoticeActions(execution: Execution): ScheduledAction[] {
  const { starterNotice, run } = execution;
  const isBad = run.status === 'not-started' || run.status === 'not-confirmed';
  if (starterNotice.status !== 'due' || !(isBad || isOver(postOf(execution, ROOT)))) return [];
  return [{ at: starterNotice.notBefore, action: { kind: 'starter-notice' } }];
}

function timer(at: Millis | null, action: DueAction): ScheduledAction[] {
  return at === null ? [] : [{ at, action }];
}
