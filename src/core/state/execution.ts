import type { LedgerEvent, LedgerHead } from '../ledger/entry.ts';
import type { Inputs } from '../values/json.ts';
import type { Result } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import type { Claimed } from './claim.ts';
import { cardTsOf, type Message, type Messages, postOf, ROOT, tsOf } from './message.ts';
import type { Notice } from './notices.ts';
import {
  type Alert,
  type CrewRefusal,
  type Decision,
  type DirectMessage,
  type EarlierRound,
  finalNo,
  type HumanRequest,
  type Output,
  type Person,
  type Question,
  type Unavailability,
} from './request.ts';

// An execution as it is stored: a run of a crew or an ask without a run, with everything about it. Transitions change it, the
// store keeps it.

/** Version of the stored record. */
export const RECORD_VERSION = 1;

/** One run of a crew with everything that Signoff knows about it and still has to do for it: one aggregate, one record. */
export interface Execution {
  version: typeof RECORD_VERSION;
  /** Our own reference, created before the kickoff. */
  ref: string;
  crew: string;
  channel: string;
  origin: Origin;
  inputs: Inputs;
  createdAt: Millis;
  run: Run;
  kickoff: Kickoff;
  /** The kickoff ids that the service gave this run, oldest first; the last one is polled. */
  kickoffIds: string[];
  executionId: string | null;
  /** Number of resumes that were given webhook addresses; hop 0 are the addresses of the kickoff. */
  hop: number;
  requests: HumanRequest[];
  possibleRepeats: readonly PossibleRepeat[];
  tasks: CompletedTask[];
  taskNames: readonly TaskName[];
  progress: Progress;
  activity: Activity;
  poll: Poll;
  messages: Messages;
  /** Each person has one answer at most. */
  privateAnswers: PrivateAnswer[];
  starterNotice: StarterNotice;
  /** Direct messages beside those about cards. */
  notices: readonly Notice[];
  /** Steps of Slack's workflows that wait for this run, or have. */
  workflowSteps: readonly WorkflowStep[];
  unfollowed: { by: Person; at: Millis } | null;
  /** Set while the crew isn't configured, with the time of the next look; null while it is. */
  missingCrew: { since: Millis; checkAt: Millis } | null;
  /** Expiry of the record and its texts, and whether the cards say so; null while it doesn't expire. */
  expiry: { at: Millis; isTold: boolean } | null;
  /** The limits that the crew has met, in the order in which it did. */
  limitsMet: readonly Limit[];
  /** The last entry of this run in the ledger, as far as this record knows: attempts that were refused are entered beside it. */
  ledger: LedgerHead;
  /** Events of this change, whose ledger entries are written together with it. Never stored here. */
  ledgerEvents: readonly LedgerEvent[];
}

/** Limits on what a crew can do within one run. */
export type Limit = 'open-requests' | 'rounds' | 'requests' | 'texts';

/** Origin of an execution: the person who started it, and the place. */
type Origin =
  | { kind: 'form'; by: Person; form: FormKey }
  | { kind: 'command'; by: Person }
  /**
   * There is no run: a program or a workflow asks people one thing, for somebody if it says so. `approvalId`: that request; null
   * until it is made. `heardAt`: when the program that asked fetched the answer; null until then. `thread`: null where it has a
   * thread for itself.
   */
  | {
      kind: 'ask';
      asker: Asker;
      by: Person | null;
      approvalId: string | null;
      heardAt: Millis | null;
      thread: AskThread | null;
    }
  /** A step of one of Slack's workflows, which may say who has started that; Slack itself doesn't. */
  | { kind: 'step'; by: Person | null }
  | { kind: 'elsewhere'; adoptionHold: AdoptionHold | null };

/** A program or workflow that asks without a run. The operator names programs, so that none can pass for another. */
export type Asker = { kind: 'program'; name: string } | { kind: 'workflow' };

/** A conversation of a program: it asks several things in one thread of Slack, each of which is an execution. */
export interface AskThread {
  /** The program's own name for it, which is its crew's alone. */
  name: string;
  /** The ref of the ask that this one replaces; null if it replaces none. */
  replaces: string | null;
  /** The ask before this one; null for the first. */
  before: EarlierRound | null;
  place: ThreadPlace;
}

/** Place of the card. `sought`: not known yet. `begins`: in the channel. `follows`: in the thread of the first ask. */
export type ThreadPlace =
  | { status: 'sought'; tries: number; notBefore: Millis }
  | { status: 'begins' }
  | { status: 'follows'; ts: string };

/** Time that an execution started elsewhere waits for an answer that may show that we started it. */
export interface AdoptionHold {
  until: Millis;
  checkAt: Millis;
}

/** An open form, and which of its submissions is meant, from 0. */
export interface FormKey {
  viewId: string;
  attempt: number;
}

export type Run =
  | { status: 'starting' }
  | { status: 'running' }
  | { status: 'waiting' }
  | { status: 'completed'; result: Output | null; endedAt: Millis }
  | { status: 'failed'; error: string; endedAt: Millis }
  | { status: 'lost'; lostAt: Millis }
  | { status: 'not-started'; refusal: KickoffRefusal; endedAt: Millis }
  | { status: 'not-confirmed'; doubt: KickoffDoubt; since: Millis };

/** Reason why a kickoff certainly started nothing. */
export interface KickoffRefusal {
  code: CrewRefusal;
  detail: string;
  /** The inputs that the service reported as missing. */
  missing: string[];
}

/** Reason why nobody knows whether a kickoff started the crew. */
export type KickoffDoubt = 'no-answer' | 'server-error' | 'no-id' | 'interrupted';

/** The delivery of `POST /kickoff`, which must not be repeated. `delayedBy`: why the last try failed; null before it. */
type Kickoff =
  | { status: 'due'; tries: number; delayedBy: Unavailability | null; notBefore: Millis }
  | ({ status: 'sending'; tries: number; delayedBy: Unavailability | null } & Claimed)
  | { status: 'settled' };

export type StepKey = Pick<WorkflowStep, 'id' | 'workflow'>;

export interface WorkflowStep {
  /** Slack's `function_execution_id`. */
  id: string;
  /** The run of the workflow that it is a step of, Slack's `workflow_execution_id`; null if Slack doesn't say. */
  workflow: string | null;
  awaits: 'start' | 'end' | 'decision';
  completion: StepCompletion;
}

/** The call that completes a step. `over`: its workflow had been cancelled. `not-confirmed`: nobody knows whether Slack has taken it. */
type StepCompletion =
  | { status: 'due'; tries: number; notBefore: Millis }
  | ({ status: 'sending'; tries: number } & Claimed)
  | { status: 'not-confirmed'; tries: number }
  | { status: 'settled'; as: 'taken' | 'over' | 'refused' };

export interface CompletedTask {
  /** '1', '2', … within its execution. */
  id: string;
  name: string | null;
  agent: string | null;
  summary: string;
  output: Output | null;
  /** Recognises a repeated report of the same completion. */
  fingerprint: string;
}

/**
 * A request with the text of a round whose answer the crew has, or may have. It is kept until the crew's status tells whether the crew
 * asks again or a notification was repeated.
 */
interface PossibleRepeat extends Pick<Question, 'hop' | 'kickoffId' | 'taskId' | 'taskName' | 'output' | 'heading'> {
  executionId: string | null;
  attachesFile: boolean;
  heardAt: Millis;
  /** Time at which people are asked, and whether the status says that the crew waits; null while nothing suggests a new request. */
  due: { at: Millis; isConfirmed: boolean } | null;
}

/** The crew's name for a task, received together with the task's id. */
interface TaskName {
  taskId: string;
  name: string;
}

export interface Progress {
  completed: number;
  total: number | null;
  current: string | null;
}

/** Agent steps are stored beside the record, which only says when the thread shows the latest one. */
interface Activity {
  /** Number of updates of the root for them; 0 if the thread's status shows them. */
  seen: number;
  refreshAt: Millis | null;
}

export interface Poll {
  /** Null once polling has stopped. */
  nextAt: Millis | null;
  count: number;
  /** Start of the current unbroken series of "not found" answers. */
  notFoundSince: Millis | null;
  /** Number of consecutive polls that said "waiting" although no request has reached us. */
  waitingUnseen: number;
  /** Number of consecutive polls that didn't say "waiting" although a flow's request is open. */
  unpaused: number;
  /** Reason why the last poll failed; null if it didn't. */
  trouble: 'unauthorized' | Unavailability | 'error' | null;
}

/** An answer to a click that only one person sees. It is tried again until Slack takes it, or it is too late for it. */
export interface PrivateAnswer {
  /** The id of the person. */
  to: string;
  channel: string;
  /** The thread that they clicked in; null for the channel itself. */
  threadTs: string | null;
  /** mrkdwn in which foreign text is escaped already. */
  text: string;
  next: NextStep;
  tries: number;
  notBefore: Millis;
  until: Millis;
}

/** A button under a private answer. `ask`: mentions the people who can decide. `withdraw`: takes back the person's own vote. */
export type NextStep =
  | { kind: 'none' }
  | { kind: 'ask'; ref: string; approvalId: string }
  | { kind: 'withdraw'; ref: string; approvalId: string; hash: string }
  /** Connect their own token of a crew. */
  | { kind: 'connect'; crew: string };

/** The private message to the starter about how the start went. */
export type StarterNotice =
  | { status: 'none' }
  | { status: 'due'; tries: number; notBefore: Millis }
  | { status: 'told' };

/** Returns true once the run is over for good: nothing revives it, it isn't polled, and no decision is sent. */
export function hasEnded({ run }: Pick<Execution, 'run'>): boolean {
  return run.status === 'completed' || run.status === 'failed';
}

/** Moves the run to a channel that Slack has given another id. Messages keep their timestamps. */
export function moveChannel(execution: Execution, { from, to }: { from: string; to: string }): Execution {
  if (execution.channel !== from) return execution;
  const privateAnswers = execution.privateAnswers.map((answer) =>
    answer.channel === from ? { ...answer, channel: to } : answer,
  );
  return { ...execution, channel: to, privateAnswers };
}

/** Returns the person who started the run; null if it was started elsewhere, or by a workflow that doesn't say for whom. */
export function starterOf({ origin }: Pick<Execution, 'origin'>): Person | null {
  return origin.kind === 'elsewhere' ? null : origin.by;
}

/** The person, workflow or program that started a run, as messages name it. */
export interface StartedBy {
  starter: Person | null;
  /** A workflow that doesn't say for whom. */
  byWorkflow?: true;
  /** The name of a program that asks without a run. */
  byProgram?: string;
}

export function startedBy({ origin }: Pick<Execution, 'origin'>): StartedBy {
  const starter = starterOf({ origin });
  const asker = origin.kind === 'ask' ? origin.asker : null;
  return {
    starter,
    ...(starter === null && (origin.kind === 'step' || asker?.kind === 'workflow') && { byWorkflow: true }),
    ...(starter === null && asker?.kind === 'program' && { byProgram: asker.name }),
  };
}

/** Returns the inputs of a request that conditions of rules see. */
export function inputsOf(run: { inputs: Inputs }, request: { inputs: Inputs | null }): Inputs {
  return request.inputs === null ? run.inputs : { ...run.inputs, ...request.inputs };
}

/** Returns the time of a change: never before the run's last ledger entry, even if Redis' clock was set back. */
export function timeOfChange({ ledger }: Execution, now: Millis): Millis {
  return Math.max(now, ledger.at);
}

export function findRequest(execution: Execution, approvalId: string): HumanRequest | null {
  return execution.requests.find((request) => request.id === approvalId) ?? null;
}

/** Returns the request that a message is about; null if it is about the run. */
export function requestOf(execution: Execution, message: Message): HumanRequest | null {
  const about = message.kind === 'notice' ? noticeOf(execution, message)?.about : message;
  const approvalId = about && 'approvalId' in about ? about.approvalId : null;
  return approvalId === null ? null : findRequest(execution, approvalId);
}

export function alertOf(
  execution: Execution,
  { approvalId, alertId }: Extract<Message, { kind: 'alert' }>,
): Alert | null {
  return findRequest(execution, approvalId)?.discussion.alerts.find(({ id }) => id === alertId) ?? null;
}

export function directMessageOf(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
): DirectMessage | null {
  return findRequest(execution, approvalId)?.discussion.directMessages.list.find((each) => each.to === to) ?? null;
}

export function noticeOf({ notices }: Execution, { noticeId }: Extract<Message, { kind: 'notice' }>): Notice | null {
  return notices.find(({ id }) => id === noticeId) ?? null;
}

/** Returns the id of the person who gets a direct message; null for a message that goes into the channel. */
export function recipientOf(execution: Execution, message: Message): string | null {
  if (message.kind === 'direct-message') return message.to;
  return message.kind === 'notice' ? (noticeOf(execution, message)?.to ?? null) : null;
}

/** Returns the time from which people could read a request: Slack's time of its card, or when it was asked or edited. */
export function shownAt(execution: Execution, request: HumanRequest): Millis {
  const ts = cardTsOf(execution, request);
  return Math.max(
    request.question.askedAt,
    request.question.edited?.at ?? 0,
    ts === null ? 0 : Math.floor(Number(ts) * 1000),
  );
}

/** Returns the request of a program or workflow that asked without a run; null for a run of a crew. */
export function requestOfAsk(execution: Execution): HumanRequest | null {
  const { origin } = execution;
  return origin.kind === 'ask' && origin.approvalId !== null ? findRequest(execution, origin.approvalId) : null;
}

/** Returns the thread that an ask belongs to; null for an ask with its own thread, and for a run of a crew. */
export function askThreadOf({ origin }: Pick<Execution, 'origin'>): AskThread | null {
  return origin.kind === 'ask' ? origin.thread : null;
}

/** Records the place of an ask in its thread. */
export function placeInThread(execution: Execution, place: ThreadPlace): Execution {
  const { origin } = execution;
  if (origin.kind !== 'ask' || origin.thread === null) return execution;
  return { ...execution, origin: { ...origin, thread: { ...origin.thread, place } } };
}

/**
 * Returns the timestamp of the first message of the thread; null until it is posted. The card of an ask without a run is that first
 * message, unless the ask follows another one in its thread.
 */
export function threadTsOf(execution: Execution): string | null {
  const { origin } = execution;
  if (origin.kind !== 'ask') return tsOf(postOf(execution, ROOT));
  if (origin.thread?.place.status === 'follows') return origin.thread.place.ts;
  const request = requestOfAsk(execution);
  return request && cardTsOf(execution, request);
}

/** Records that the program that asked has fetched the answer. Returns the same execution if that is recorded already. */
export function noteHeard(execution: Execution, now: Millis): Execution {
  const { origin } = execution;
  if (origin.kind !== 'ask' || origin.heardAt !== null) return execution;
  return { ...execution, origin: { ...origin, heardAt: now } };
}

/** Returns true once the decision has reached the program or crew that asked. A fetched decision counts once it was fetched. */
export function isConfirmed(
  { origin }: Execution,
  { question: { destination }, state: { status } }: HumanRequest,
): boolean {
  if (status !== 'delivered') return false;
  return destination?.kind !== 'poll' || (origin.kind === 'ask' && origin.heardAt !== null);
}

/** Replaces the request of the same id; returns the same object if nothing changed. */
export function withRequest(execution: Execution, request: HumanRequest): Execution {
  if (execution.requests.includes(request)) return execution;
  return { ...execution, requests: execution.requests.map((each) => (each.id === request.id ? request : each)) };
}

/**
 * Returns the request that was open when tracking stopped: as far as we know, the crew still waits for its answer. Null if the run is
 * tracked, has ended, or waited for nobody.
 */
export function leftWaiting(execution: Execution): HumanRequest | null {
  if (!execution.unfollowed || hasEnded(execution)) return null;
  const isClosedByStop = (each: HumanRequest) => each.state.status === 'superseded' && each.state.by === 'unfollowed';
  return execution.requests.findLast(isClosedByStop) ?? null;
}

/** Returns the decline after which nothing more is asked in this run; null if there is none, or it can still be undone. */
export function declineOf({ requests }: Execution): Decision | null {
  for (const request of requests) {
    const decline = finalNo(request);
    if (decline) return decline;
  }
  return null;
}

/** The oldest names are forgotten beyond this number: a task is named just before or just after it asks. */
const MOST_NAMES = 200;

/** Returns the crew's name for this very task; null until there is one. A text names no task: any task may pass on another one's. */
export function taskNameOf({ taskNames }: Execution, taskId: string): string | null {
  return taskNames.find((each) => each.taskId === taskId)?.name ?? null;
}

/** Records the first name that a task is given. Returns the same object if there is none, or nothing to name. */
export function withTaskName(
  execution: Execution,
  { taskId, name }: { taskId: string | null; name: string | null },
): Execution {
  if (taskId === null || name === null || taskNameOf(execution, taskId) !== null) return execution;
  return { ...execution, taskNames: [...execution.taskNames, { taskId, name }].slice(-MOST_NAMES) };
}

/** Pauses between looks for a missing crew. A process that knows the crew finds its runs when it starts. */
const CHECK = { firstMs: 60_000, mostMs: 60 * 60_000 };

/** First pause if another process may know the crew. */
export const CHECK_SOON_MS = 1_000;

/**
 * Records that the crew isn't configured: until it is again, nothing is sent to it or asked of it, and no timers run. The crew is looked
 * for after pauses that double. Returns the same execution if that is recorded already, or if the run isn't in progress.
 */
export function missCrew(execution: Execution, now: Millis, firstMs = CHECK.firstMs): Execution {
  const { missingCrew } = execution;
  if (!isInProgress(execution) || (missingCrew !== null && now < missingCrew.checkAt)) return execution;
  const since = missingCrew?.since ?? now;
  const pauseMs = missingCrew === null ? firstMs : Math.max(CHECK_SOON_MS, now - since);
  return { ...execution, missingCrew: { since, checkAt: now + Math.min(pauseMs, CHECK.mostMs) } };
}

/** Returns true if a run in progress waits until its crew is configured again. */
export function missesCrew(execution: Execution): boolean {
  return execution.missingCrew !== null && isInProgress(execution);
}

/** Returns the time of the next look for the crew; null if it is known, or the run isn't tracked and has nothing to send. */
export function crewCheckedAt(execution: Execution): Millis | null {
  const { missingCrew, unfollowed, requests } = execution;
  const isAwaited = unfollowed === null || requests.some(({ state: { status } }) => status === 'decided');
  return missingCrew !== null && isAwaited && missesCrew(execution) ? missingCrew.checkAt : null;
}

const IN_PROGRESS: readonly Run['status'][] = ['starting', 'running', 'waiting'];

function isInProgress({ run }: Execution): boolean {
  return IN_PROGRESS.includes(run.status);
}

/** Returns true while nothing may be shown or done, since the execution may turn out to be one that we started. */
export function isHeld({ origin }: Execution): boolean {
  return origin.kind === 'elsewhere' && origin.adoptionHold !== null;
}

/** A change as a pure function of the stored state. It is run again if another process was faster. */
export type Transition<Refusal> = (execution: Execution, now: Millis) => Transitioned<Refusal>;

/** A refusal may leave something in the record, too: it counts only once `after` is stored. */
type Transitioned<Refusal> = Result<Execution, Refusal> | { ok: false; refusal: Refusal; after: Execution };
