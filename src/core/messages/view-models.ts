import { type PlannedTask, planOf } from '../execution/plan.ts';
import { isWaitingUnseen, tasksDone } from '../execution/run.ts';
import { wasRefused } from '../execution/workflow-steps.ts';
import { openRequest, roundBefore } from '../request/ask.ts';
import { aboutExecution, aboutRequest } from '../state/about.ts';
import {
  declineOf,
  type Execution,
  hasEnded,
  type Limit,
  missesCrew,
  type Progress,
  type Run,
  requestOfAsk,
  type StartedBy,
  startedBy,
} from '../state/execution.ts';
import { cardTsOf, ENDING, postOf, tsOf } from '../state/message.ts';
import {
  allVotes,
  type CompletedStage,
  type Decision,
  type Edited,
  type Escalation,
  type HandOver,
  type HumanRequest,
  isOpen,
  isRunUnknown,
  type Output,
  type Person,
  type ResumeFailure,
  type Retraction,
  type SupersededBy,
  type Unavailability,
  type Vote,
} from '../state/request.ts';
import type { Undecidable } from '../state/shortage.ts';
import type { InputField } from '../values/input-field.ts';
import type { Inputs } from '../values/json.ts';
import type { Millis } from '../values/time.ts';

// Computes from the state of a run what its root message and its cards show. Features render it; its fingerprint tells when an
// update is due.

/** Everything that the root message shows, and nothing else: when it changes, the message is out of date. */
export interface RootModel extends StartedBy {
  ref: string;
  crew: string;
  inputs: Inputs;
  /** Subject of the run, in one line of plain text, or ''. */
  about: string;
  createdAt: Millis;
  run: Run;
  progress: Progress;
  plan: readonly PlannedTask[];
  /** Number of updates for agent steps; 0 if the thread's status shows them. */
  activitySeen: number;
  openCard: OpenCard | null;
  /** Timestamp of the reply with the result or the failure; null until it is posted. */
  endingTs: string | null;
  waitingUnseen: boolean;
  /** The last request expired, and the crew wasn't told. */
  hasExpired: boolean;
  /** Reason why polls fail, while the run is polled. */
  trouble: Execution['poll']['trouble'];
  unfollowed: Execution['unfollowed'];
  /** Number of retractions of all requests. */
  takenBack: number;
  /** The crew isn't configured at the moment. */
  crewMissing?: true;
  /** The decline by which nothing more is asked, and how many other requests it closed; left out where there is none. */
  declined?: { decision: Decision; closed: number };
  /** Left out where the crew has met none. */
  limitsMet?: readonly Limit[];
  /** Slack hasn't taken what a workflow waits for, or nobody knows whether it has. */
  untoldWorkflow?: 'refused' | 'unsure';
  /** State of a request without a run of a crew. */
  asked?: AskState;
}

export type AskState = 'open' | 'answered' | 'undecided' | 'withdrawn';

/** The request that the root message links to. */
interface OpenCard {
  ts: string | null;
  round: number;
  taskName: string | null;
  /** Reason why the crew doesn't have the decision; null before the decision's first try. */
  undelivered: Undelivered | null;
}

/** Signoff sends a decision by itself once its crew is available and configured, and a callback again. The other cases take a person. */
export type Undelivered = Unavailability | 'sent-again' | 'crew-missing' | 'refused' | 'run-unknown' | 'not-confirmed';

/** Everything that the card of a request shows. */
export interface CardModel extends StartedBy {
  ref: string;
  approvalId: string;
  crew: string;
  /** Name of the task; null if the crew hasn't named it. */
  taskName: string | null;
  /** Its place among requests of one name that were asked at the same time; left out where it was the only one. */
  call?: { number: number; count: number };
  round: number;
  askedAt: Millis;
  output: Output;
  /** Left out while the text is that of the crew. */
  edited?: Edited;
  /** Subject of the request, in one line of plain text. */
  about: string;
  /** Fields of the answer; left out if people approve, reject or choose. */
  fields?: readonly InputField[];
  /** Reason that the program gives; left out if it gives none. */
  why?: string;
  /** Outcomes to choose from; left out if people approve or reject. */
  outcomes?: readonly string[];
  repeatsRound: number | null;
  isConfirmedRepeat?: true;
  /** The rejection that led to this round. */
  ledBy: Decision | null;
  votes: Vote[];
  /** Complete stages; left out if there are none. */
  stages?: readonly CompletedStage[];
  takenBack: number;
  handedOver: HandOver[];
  escalations: readonly Escalation[];
  state: CardState;
  /** The last time that a vote or decision was taken back, while it waits; left out where none was. */
  retracted?: Pick<Retraction, 'kind' | 'by' | 'at'>;
  /** The people whose decision or approval the store has lost, until they give it again; left out where there is nobody. */
  lost?: readonly Person[];
  /** Number of people who can decide, aren't in the channel and weren't notified, while it waits; left out if 0. */
  untold?: number;
  /** Time at which it closes or is rejected if nobody decides, while it waits; left out if never. */
  expireAt?: Millis;
  /** Reason why it can't be completed, while it waits; left out if it can. */
  undecidable?: Pick<Undecidable, 'shortages' | 'isLeftToNobody'>;
  /** The crew isn't configured at the moment, so that nothing is decided or sent. */
  crewMissing?: true;
  /** No run of a crew has asked. */
  isAsk?: true;
  /** Inputs that a program gives beside its text; left out if it gives none. */
  inputs?: Inputs;
  /**
   * The state of a decision that the program that asked fetches; left out once it has it. `over`, `refused`, `unsure`: the step of the workflow
   * doesn't wait for it any more, Slack doesn't take it, or nobody knows whether it has.
   */
  unheard?: 'ready' | 'sending' | 'over' | 'refused' | 'unsure';
  /** Expiry of the text, on the last update before it. */
  textGoneAt?: Millis;
}

export type CardState =
  | { kind: 'pending' }
  /** Decided, but not sent before this instant. */
  | { kind: 'undoable'; decision: Decision; undoUntil: Millis }
  /**
   * `delayedBy`: why the last try failed; null before it. `giveUpAt`: until when a callback is sent again; left out until a try has
   * failed.
   */
  | { kind: 'telling'; decision: Decision; delayedBy: Unavailability | null; giveUpAt?: Millis }
  | { kind: 'told'; decision: Decision }
  | { kind: 'failed'; decision: Decision; failure: ResumeFailure }
  | { kind: 'superseded'; decision: Decision | null; by: SupersededBy }
  /** A decline that the crew isn't told. `isOver`: the run has ended since. */
  | { kind: 'declined'; decision: Decision; isOver: boolean }
  | { kind: 'expired'; expiredAt: Millis };

export function rootModel(execution: Execution): RootModel {
  const { ref, crew, inputs, createdAt, run, progress, activity, poll, unfollowed } = execution;
  const open = openRequest(execution);
  const decline = declineOf(execution);
  return {
    ref,
    crew,
    ...startedBy(execution),
    inputs,
    about: aboutExecution(execution),
    createdAt,
    run,
    progress: { ...progress, completed: tasksDone(execution) },
    plan: planOf(execution),
    activitySeen: activity.seen,
    endingTs: tsOf(postOf(execution, ENDING)),
    openCard: open && openCardOf(open, execution),
    waitingUnseen: isWaitingUnseen(execution),
    hasExpired: execution.requests.at(-1)?.state.status === 'expired',
    trouble: poll.nextAt === null ? null : poll.trouble,
    unfollowed,
    takenBack: execution.requests.reduce((sum, request) => sum + request.discussion.takenBack, 0),
    ...(missesCrew(execution) && { crewMissing: true }),
    ...(decline && { declined: { decision: decline, closed: closedByDecline(execution) } }),
    ...untoldIn(execution),
    ...(execution.limitsMet.length > 0 && { limitsMet: execution.limitsMet }),
    ...(execution.origin.kind === 'ask' && { asked: askState(execution) }),
  };
}

function askState(execution: Execution): AskState {
  const request = requestOfAsk(execution);
  if (!request || isOpen(request)) return 'open';
  if (request.state.status === 'superseded') return 'withdrawn';
  return 'decision' in request.state && request.state.decision?.by ? 'answered' : 'undecided';
}

/** State of a run, as its message and lists say it. */
export type RunState =
  | Run['status']
  | 'waiting-for-approval'
  /** The decision can't be sent to the crew at the moment. */
  | 'decided'
  /** The crew has refused the decision. */
  | 'undelivered'
  | 'decision-not-confirmed'
  | 'expired'
  | 'declined'
  | 'not-tracked'
  | Exclude<AskState, 'open'>;

export function runState({
  run: { status },
  openCard,
  waitingUnseen,
  hasExpired,
  unfollowed,
  declined,
  asked = 'open',
}: RootModel): RunState {
  if (asked !== 'open') return asked;
  const isLive = status === 'running' || status === 'waiting';
  const undelivered = openCard?.undelivered ? undeliveredState(openCard.undelivered) : null;
  if (declined && isLive && undelivered !== 'decided') return 'declined';
  if (unfollowed && isLive) return 'not-tracked';
  if (status !== 'waiting' && status !== 'lost') return status;
  if (undelivered !== null) return undelivered;
  if (status === 'lost') return status;
  if (waitingUnseen && hasExpired) return 'expired';
  return openCard || waitingUnseen ? 'waiting-for-approval' : 'waiting';
}

function undeliveredState(why: Undelivered): 'decided' | 'undelivered' | 'decision-not-confirmed' {
  switch (why) {
    case 'unreachable':
    case 'busy':
    case 'sent-again':
    case 'crew-missing':
      return 'decided';
    case 'refused':
    case 'run-unknown':
      return 'undelivered';
    case 'not-confirmed':
      return 'decision-not-confirmed';
  }
}

function closedByDecline({ requests }: Execution): number {
  return requests.filter((request) => request.state.status === 'superseded' && request.state.by === 'declined').length;
}

function openCardOf(request: HumanRequest, execution: Execution): OpenCard {
  const { round, taskName } = request.question;
  return { ts: cardTsOf(execution, request), round, taskName, undelivered: whyUndelivered(request, execution) };
}

function whyUndelivered(request: HumanRequest, execution: Execution): Undelivered | null {
  switch (request.state.status) {
    case 'decided':
    case 'sending':
      if (request.state.status === 'decided' && missesCrew(execution)) return 'crew-missing';
      return request.state.giveUpAt === null ? request.state.delayedBy : 'sent-again';
    case 'failed':
      if (request.state.failure.kind === 'not-confirmed') return 'not-confirmed';
      return isRunUnknown(request) ? 'run-unknown' : 'refused';
    case 'pending':
    case 'delivered':
    case 'superseded':
    case 'declined':
    case 'expired':
      return null;
  }
}

export function cardModel(execution: Execution, request: HumanRequest): CardModel {
  const { id } = request;
  const { taskName, round, askedAt, output, repeatsRound } = request.question;
  const { votes, takenBack, handedOver, times } = request.discussion;
  return {
    ref: execution.ref,
    approvalId: id,
    crew: execution.crew,
    ...startedBy(execution),
    taskName,
    ...callAmong(execution, request),
    round,
    askedAt,
    output,
    ...(request.question.edited && { edited: request.question.edited }),
    about: aboutRequest(execution, request.question),
    ...(request.question.fields && { fields: request.question.fields }),
    ...(request.question.why !== null && { why: request.question.why }),
    ...(request.question.outcomes && { outcomes: request.question.outcomes }),
    repeatsRound,
    ...(request.question.isConfirmedRepeat && { isConfirmedRepeat: true }),
    ledBy: roundBefore(execution, request)?.rejection ?? null,
    votes,
    ...(request.discussion.stages.length > 0 && { stages: request.discussion.stages }),
    takenBack,
    handedOver,
    escalations: times.escalations,
    state: cardState(execution, request),
    ...retractedIn(request),
    ...(request.state.status === 'pending' && request.discussion.untold > 0 && { untold: request.discussion.untold }),
    ...(request.state.status === 'pending' && times.expireAt !== null && { expireAt: times.expireAt }),
    ...undecidableIn(request),
    ...(missesCrew(execution) && isKept(request) && { crewMissing: true }),
    ...(execution.origin.kind === 'ask' && askIn(execution)),
    ...unheardIn(execution, request),
    ...(execution.expiry?.isTold && { textGoneAt: execution.expiry.at }),
  };
}

/** Inputs of workflows name approvers, and aren't shown. */
function askIn({ origin, inputs }: Execution): Pick<CardModel, 'isAsk' | 'inputs'> {
  const areShown = origin.kind === 'ask' && origin.asker.kind === 'program' && Object.keys(inputs).length > 0;
  return { isAsk: true, ...(areShown && { inputs }) };
}

function untoldIn({ workflowSteps }: Execution): Pick<RootModel, 'untoldWorkflow'> {
  if (workflowSteps.some(wasRefused)) return { untoldWorkflow: 'refused' };
  return workflowSteps.some(({ completion }) => completion.status === 'not-confirmed')
    ? { untoldWorkflow: 'unsure' }
    : {};
}

function undecidableIn({
  state: { status },
  discussion: { undecidable },
}: HumanRequest): Pick<CardModel, 'undecidable'> {
  if (status !== 'pending' || undecidable === null) return {};
  const { shortages, isLeftToNobody } = undecidable;
  return { undecidable: { shortages, isLeftToNobody } };
}

function unheardIn(
  { origin, workflowSteps }: Execution,
  { question: { destination }, state: { status } }: HumanRequest,
): Pick<CardModel, 'unheard'> {
  const isFetched = destination?.kind === 'poll' && (status === 'delivered' || status === 'declined');
  if (!isFetched || origin.kind !== 'ask' || origin.heardAt !== null) return {};
  if (origin.asker.kind === 'program') return { unheard: 'ready' };
  const step = workflowSteps.find(({ awaits }) => awaits === 'decision');
  if (step?.completion.status === 'not-confirmed') return { unheard: 'unsure' };
  if (step && wasRefused(step)) return { unheard: 'refused' };
  return { unheard: step?.completion.status === 'settled' ? 'over' : 'sending' };
}

/**
 * Returns the place of a request among tool calls of one name that wait together; each call has a task of its own. Calls that were
 * closed before this one was asked don't count.
 */
function callAmong({ requests }: Execution, request: HumanRequest): Pick<CardModel, 'call'> {
  const { taskId, taskName } = request.question;
  if (taskName === null || requests.length === 1) return {};
  const isBeside = (each: HumanRequest) =>
    each.question.taskName === taskName &&
    each.question.askedAt < closedAt(request) &&
    request.question.askedAt < closedAt(each);
  const tasks = [
    ...new Set(
      requests.filter((each) => each.question.taskId === taskId || isBeside(each)).map((each) => each.question.taskId),
    ),
  ];
  return tasks.length === 1 ? {} : { call: { number: tasks.indexOf(taskId) + 1, count: tasks.length } };
}

/** Returns the time until which a request waited for people. */
function closedAt(request: HumanRequest): Millis {
  if ('decision' in request.state && request.state.decision) return request.state.decision.at;
  switch (request.state.status) {
    case 'superseded':
      return request.state.supersededAt;
    case 'expired':
      return request.state.expiredAt;
    case 'pending':
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
      return Number.POSITIVE_INFINITY;
  }
}

function retractedIn(request: HumanRequest): Pick<CardModel, 'retracted' | 'lost'> {
  const { status } = request.state;
  const { retractions } = request.discussion;
  if (status !== 'pending' || retractions.length === 0) return {};
  const voters = allVotes(request.discussion).map(({ by }) => by.id);
  const lost = retractions.filter(({ kind, of }) => kind === 'lost' && !voters.includes(of.id)).map(({ of }) => of);
  const last = retractions.findLast(({ kind }) => kind !== 'lost');
  return {
    ...(last && { retracted: { kind: last.kind, by: last.by, at: last.at } }),
    ...(lost.length > 0 && { lost }),
  };
}

function cardState(execution: Execution, request: HumanRequest): CardState {
  switch (request.state.status) {
    case 'pending':
      return { kind: 'pending' };
    case 'decided':
    case 'sending': {
      const { decision, delayedBy, giveUpAt } = request.state;
      if (request.state.status === 'decided' && request.state.undoUntil !== null)
        return { kind: 'undoable', decision, undoUntil: request.state.undoUntil };
      return { kind: 'telling', decision, delayedBy, ...(giveUpAt !== null && { giveUpAt }) };
    }
    case 'delivered':
      return { kind: 'told', decision: request.state.decision };
    case 'failed':
      return { kind: 'failed', decision: request.state.decision, failure: request.state.failure };
    case 'superseded':
      return { kind: 'superseded', decision: request.state.decision, by: request.state.by };
    case 'declined':
      return { kind: 'declined', decision: request.state.decision, isOver: hasEnded(execution) };
    case 'expired':
      return { kind: 'expired', expiredAt: request.state.expiredAt };
  }
}

/** Returns true if the crew still waits for it. A decision that is being sent may have arrived. */
function isKept(request: HumanRequest): boolean {
  return isOpen(request) && request.state.status !== 'sending';
}

/** Content of a direct message: the card, or one line with the request's outcome. */
interface DirectMessageModel {
  form: 'card' | 'line';
  model: CardModel;
}

/** The card as long as the person can do something with it: until it is decided, and then if they are the one who decided it. */
export function directMessageModel(execution: Execution, request: HumanRequest, to: string): DirectMessageModel {
  // Threads say that texts expire. Direct messages don't, since an update would wake them all.
  const { textGoneAt: _, unheard, ...model } = cardModel(execution, request);
  const { state } = model;
  const isTheirs = 'decision' in state && state.decision?.by?.id === to;
  if (state.kind === 'pending' || isTheirs) return { form: 'card', model: { ...model, ...(unheard && { unheard }) } };
  return { form: 'line', model: { ...model, state: outcomeOf(state) } };
}

/** Leaves out the delivery to the crew, which changes several times. */
function outcomeOf(state: CardState): CardState {
  switch (state.kind) {
    case 'undoable':
    case 'telling':
    case 'told':
    case 'failed':
      return { kind: 'told', decision: state.decision };
    case 'pending':
    case 'superseded':
    case 'declined':
    case 'expired':
      return state;
  }
}
