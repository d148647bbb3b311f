import { openRequest, roundBefore } from '../approval/request.ts';
import { type PlannedTask, planOf } from '../execution/plan.ts';
import { isWaitingUnseen, tasksDone } from '../execution/run.ts';
import { wasRefused } from '../execution/workflow-steps.ts';
import { aboutExecution, aboutRequest } from '../state/about.ts';
import {
  type Approval,
  allVotes,
  type CompletedStage,
  type Decision,
  type Edited,
  type Escalation,
  type HandOver,
  isOpen,
  isRunUnknown,
  type Output,
  type Person,
  type ResumeFailure,
  type Retraction,
  type SupersededBy,
  type Unavailability,
  type Vote,
} from '../state/approval.ts';
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
import type { Undecidable } from '../state/shortage.ts';
import type { InputField } from '../values/input-field.ts';
import type { Inputs } from '../values/json.ts';
import type { Millis } from '../values/time.ts';

/** Everything that the root message shows, and nothing else: when it changes, the message is out of date. */
export interface RootModel extends StartedBy {
  ref: string;
  crew: string;
  inputs: Inputs;
  /** What it is about, to tell it from others of its crew; one line of plain text, or ''. */
  about: string;
  createdAt: Millis;
  run: Run;
  progress: Progress;
  plan: readonly PlannedTask[];
  /** How often the message has caught up with agent steps; 0 where the thread's status tells them. */
  activitySeen: number;
  openCard: OpenCard | null;
  /** Of the reply with the result or the failure; null until it is posted. */
  endingTs: string | null;
  waitingUnseen: boolean;
  /** Nobody decided the last request in time, and the crew wasn't told. */
  hasExpired: boolean;
  /** Why polls fail, as long as the run is polled. */
  trouble: Execution['poll']['trouble'];
  unfollowed: Execution['unfollowed'];
  /** How often votes or decisions were taken back, as on cards. */
  takenBack: number;
  /** The crew isn't configured at the moment. */
  crewMissing?: true;
  /** The decline by which nothing more is asked, and how many other requests it closed; left out where there is none. */
  declined?: { decision: Decision; closed: number };
  /** Left out where the crew has met none. */
  limitsMet?: readonly Limit[];
  /** Slack hasn't taken what a workflow waits for, or nobody knows whether it has. */
  untoldWorkflow?: 'refused' | 'unsure';
  /** What became of what was asked without a run of the crew. */
  asked?: AskState;
}

export type AskState = 'open' | 'answered' | 'undecided' | 'withdrawn';

/** The request that the root message links to. */
interface OpenCard {
  ts: string | null;
  round: number;
  taskName: string | null;
  /** Why the crew doesn't have what was decided; null while it waits for a decision, or the decision for its first try. */
  undelivered: Undelivered | null;
}

/** Signoff sends a decision by itself once its crew is available and configured, and a callback again. The other cases take a person. */
export type Undelivered = Unavailability | 'sent-again' | 'crew-missing' | 'refused' | 'run-unknown' | 'not-confirmed';

/** Everything that an approval card shows. */
export interface CardModel extends StartedBy {
  ref: string;
  approvalId: string;
  crew: string;
  /** Who started the run; null if it was started elsewhere. */
  taskName: string | null;
  /** Its place among requests of one name that were asked at the same time; left out where it was the only one. */
  call?: { number: number; count: number };
  round: number;
  askedAt: Millis;
  output: Output;
  /** Left out while the text is that of the crew. */
  edited?: Edited;
  /** What it is about, to tell it from those of other runs of the crew; one line of plain text. */
  about: string;
  /** What people fill in to answer it; left out where they approve, reject or choose. */
  fields?: readonly InputField[];
  /** Why it is asked, in the words of its asker; left out where it doesn't say. */
  why?: string;
  /** What people choose from; left out where they approve or reject. */
  outcomes?: readonly string[];
  repeatsRound: number | null;
  isConfirmedRepeat?: true;
  /** The rejection that led to this round. */
  ledBy: Decision | null;
  votes: Vote[];
  /** Those that are complete; left out where there are none. */
  stages?: readonly CompletedStage[];
  takenBack: number;
  handedOver: HandOver[];
  escalations: readonly Escalation[];
  state: CardState;
  /** The last time that a vote or decision was taken back, while it waits; left out where none was. */
  retracted?: Pick<Retraction, 'kind' | 'by' | 'at'>;
  /** The people whose decision or approval the store has lost, until they give it again; left out where there is nobody. */
  lost?: readonly Person[];
  /** How many of those who can decide aren't in the channel and weren't told, while it waits; left out where nobody. */
  untold?: number;
  /** When it closes or is rejected if nobody decides, while it waits; left out where never. */
  expireAt?: Millis;
  /** Why it can't be completed, while it waits; left out where it can. */
  undecidable?: Pick<Undecidable, 'shortages' | 'isLeftToNobody'>;
  /** The crew isn't configured at the moment, so that nothing is decided or sent. */
  crewMissing?: true;
  /** No run of a crew has asked. */
  isAsk?: true;
  /** What a program says beside the text of what it asks; left out where it says nothing. */
  inputs?: Inputs;
  /**
   * How far a decision is that whoever asked fetches, left out once they have it. `over`, `refused`, `unsure`: the step of the workflow
   * doesn't wait for it any more, Slack doesn't take it, or nobody knows whether it has.
   */
  unheard?: 'ready' | 'sending' | 'over' | 'refused' | 'unsure';
  /** When the text expires, on the last update before it does. */
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
    hasExpired: execution.approvals.at(-1)?.status === 'expired',
    trouble: poll.nextAt === null ? null : poll.trouble,
    unfollowed,
    takenBack: execution.approvals.reduce((sum, approval) => sum + approval.takenBack, 0),
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
  if (request.status === 'superseded') return 'withdrawn';
  return 'decision' in request && request.decision?.by ? 'answered' : 'undecided';
}

/** How a run is going, in the words of its message and of lists. */
export type RunState =
  | Run['status']
  | 'waiting-for-approval'
  /** What was decided can't be sent to the crew at the moment. */
  | 'decided'
  /** The crew has refused what was decided. */
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

function closedByDecline({ approvals }: Execution): number {
  return approvals.filter((approval) => approval.status === 'superseded' && approval.by === 'declined').length;
}

function openCardOf(approval: Approval, execution: Execution): OpenCard {
  const { round, taskName } = approval;
  return { ts: cardTsOf(execution, approval), round, taskName, undelivered: whyUndelivered(approval, execution) };
}

function whyUndelivered(approval: Approval, execution: Execution): Undelivered | null {
  switch (approval.status) {
    case 'decided':
    case 'sending':
      if (approval.status === 'decided' && missesCrew(execution)) return 'crew-missing';
      return approval.giveUpAt === null ? approval.delayedBy : 'sent-again';
    case 'failed':
      if (approval.failure.kind === 'not-confirmed') return 'not-confirmed';
      return isRunUnknown(approval) ? 'run-unknown' : 'refused';
    case 'pending':
    case 'delivered':
    case 'superseded':
    case 'declined':
    case 'expired':
      return null;
  }
}

export function cardModel(execution: Execution, approval: Approval): CardModel {
  const { id, taskName, round, askedAt, output, repeatsRound, votes, takenBack, handedOver, times } = approval;
  return {
    ref: execution.ref,
    approvalId: id,
    crew: execution.crew,
    ...startedBy(execution),
    taskName,
    ...callAmong(execution, approval),
    round,
    askedAt,
    output,
    ...(approval.edited && { edited: approval.edited }),
    about: aboutRequest(execution, approval),
    ...(approval.fields && { fields: approval.fields }),
    ...(approval.why !== null && { why: approval.why }),
    ...(approval.outcomes && { outcomes: approval.outcomes }),
    repeatsRound,
    ...(approval.isConfirmedRepeat && { isConfirmedRepeat: true }),
    ledBy: roundBefore(execution, approval)?.rejection ?? null,
    votes,
    ...(approval.stages.length > 0 && { stages: approval.stages }),
    takenBack,
    handedOver,
    escalations: times.escalations,
    state: cardState(execution, approval),
    ...retractedIn(approval),
    ...(approval.status === 'pending' && approval.untold > 0 && { untold: approval.untold }),
    ...(approval.status === 'pending' && times.expireAt !== null && { expireAt: times.expireAt }),
    ...undecidableIn(approval),
    ...(missesCrew(execution) && isKept(approval) && { crewMissing: true }),
    ...(execution.origin.kind === 'ask' && askIn(execution)),
    ...unheardIn(execution, approval),
    ...(execution.expiry?.isTold && { textGoneAt: execution.expiry.at }),
  };
}

/** What names the approvers of a workflow is no matter of theirs. */
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

function undecidableIn({ status, undecidable }: Approval): Pick<CardModel, 'undecidable'> {
  if (status !== 'pending' || undecidable === null) return {};
  const { shortages, isLeftToNobody } = undecidable;
  return { undecidable: { shortages, isLeftToNobody } };
}

function unheardIn(
  { origin, workflowSteps }: Execution,
  { status, destination }: Approval,
): Pick<CardModel, 'unheard'> {
  const isFetched = destination?.kind === 'poll' && (status === 'delivered' || status === 'declined');
  if (!isFetched || origin.kind !== 'ask' || origin.heardAt !== null) return {};
  if (origin.asker.kind === 'program') return { unheard: 'ready' };
  const step = workflowSteps.find(({ awaits }) => awaits === 'decision');
  if (step?.completion.status === 'not-confirmed') return { unheard: 'unsure' };
  if (step && wasRefused(step)) return { unheard: 'refused' };
  return { unheard: step?.completion.status === 'settled' ? 'over' : 'sending' };
}

/** Tool calls of one name wait together; each has a task of its own. One that was closed before this one was asked isn't among them. */
function callAmong({ approvals }: Execution, approval: Approval): Pick<CardModel, 'call'> {
  const { taskId, taskName } = approval;
  if (taskName === null || approvals.length === 1) return {};
  const isBeside = (each: Approval) =>
    each.taskName === taskName && each.askedAt < closedAt(approval) && approval.askedAt < closedAt(each);
  const tasks = [
    ...new Set(approvals.filter((each) => each.taskId === taskId || isBeside(each)).map((each) => each.taskId)),
  ];
  return tasks.length === 1 ? {} : { call: { number: tasks.indexOf(taskId) + 1, count: tasks.length } };
}

/** Until when a request waited for people. */
function closedAt(approval: Approval): Millis {
  if ('decision' in approval && approval.decision) return approval.decision.at;
  switch (approval.status) {
    case 'superseded':
      return approval.supersededAt;
    case 'expired':
      return approval.expiredAt;
    case 'pending':
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
      return Number.POSITIVE_INFINITY;
  }
}

function retractedIn(approval: Approval): Pick<CardModel, 'retracted' | 'lost'> {
  const { status, retractions } = approval;
  if (status !== 'pending' || retractions.length === 0) return {};
  const voters = allVotes(approval).map(({ by }) => by.id);
  const lost = retractions.filter(({ kind, of }) => kind === 'lost' && !voters.includes(of.id)).map(({ of }) => of);
  const last = retractions.findLast(({ kind }) => kind !== 'lost');
  return {
    ...(last && { retracted: { kind: last.kind, by: last.by, at: last.at } }),
    ...(lost.length > 0 && { lost }),
  };
}

function cardState(execution: Execution, approval: Approval): CardState {
  switch (approval.status) {
    case 'pending':
      return { kind: 'pending' };
    case 'decided':
    case 'sending': {
      const { decision, delayedBy, giveUpAt } = approval;
      if (approval.status === 'decided' && approval.undoUntil !== null)
        return { kind: 'undoable', decision, undoUntil: approval.undoUntil };
      return { kind: 'telling', decision, delayedBy, ...(giveUpAt !== null && { giveUpAt }) };
    }
    case 'delivered':
      return { kind: 'told', decision: approval.decision };
    case 'failed':
      return { kind: 'failed', decision: approval.decision, failure: approval.failure };
    case 'superseded':
      return { kind: 'superseded', decision: approval.decision, by: approval.by };
    case 'declined':
      return { kind: 'declined', decision: approval.decision, isOver: hasEnded(execution) };
    case 'expired':
      return { kind: 'expired', expiredAt: approval.expiredAt };
  }
}

/** Whether the crew is still to hear of it; what is under way may have arrived. */
function isKept(approval: Approval): boolean {
  return isOpen(approval) && approval.status !== 'sending';
}

/** What a direct message shows: the card, or one line of what became of the request. */
interface DirectMessageModel {
  form: 'card' | 'line';
  model: CardModel;
}

/** The card as long as the person can do something with it: until it is decided, and then if they are the one who decided it. */
export function directMessageModel(execution: Execution, approval: Approval, to: string): DirectMessageModel {
  // That texts expire is told in threads: it would wake all direct messages.
  const { textGoneAt: _, unheard, ...model } = cardModel(execution, approval);
  const { state } = model;
  const isTheirs = 'decision' in state && state.decision?.by?.id === to;
  if (state.kind === 'pending' || isTheirs) return { form: 'card', model: { ...model, ...(unheard && { unheard }) } };
  return { form: 'line', model: { ...model, state: outcomeOf(state) } };
}

/** Without how the crew is told, which changes several times. */
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
