// A snapshot of all runs for the lists in Slack: open requests, runs, recent decisions and recently ended runs.

import { type RunState, rootModel, runState } from '../messages/view-models.ts';
import { progressFacts, type RequestFacts } from '../policy/condition.ts';
import type { CountedAs } from '../policy/progress.ts';
import { aboutRequest } from '../state/about.ts';
import {
  type Execution,
  findRequest,
  hasEnded,
  inputsOf,
  missesCrew,
  type StartedBy,
  startedBy,
  starterOf,
  threadTsOf,
} from '../state/execution.ts';
import { cardTsOf } from '../state/message.ts';
import { decisionOf, type HandOver, type HumanRequest, type Person, type Question } from '../state/request.ts';
import { shortened } from '../values/cut.ts';
import type { Inputs, Json } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import type { DecidedRequest, EndedRun } from './history.ts';

/** Reads snapshots. Every method throws `StoreUnavailable`. */
export interface Overview {
  /** Returns a snapshot that is at most about 1.5 seconds old, or with `now` not older than this call. */
  latest(age?: 'now'): Promise<Snapshot>;
  /** Returns the open requests alone, as old as those of `latest`, without reading ended runs. */
  openRequests(): Promise<readonly OpenRequest[]>;
  /** Returns the runs in progress alone. */
  openRuns(): Promise<readonly OpenRun[]>;
}

/** All runs at one moment. It is the same object as long as nothing has changed. */
export interface Snapshot {
  /** Time by the clock of the store. */
  at: Millis;
  /** Requests that nobody has decided yet, oldest first. */
  requests: readonly OpenRequest[];
  /** Tracked runs in progress, newest first. */
  runs: readonly OpenRun[];
  /** Decisions of the last seven days, newest first; at most some thousands. */
  decisions: readonly PastDecision[];
  /** Runs that ended in the last seven days, newest first; at most some thousands. */
  ended: readonly EndedRun[];
}

export interface OpenRun extends StartedBy, Pick<Execution, 'ref' | 'crew' | 'channel' | 'createdAt'> {
  /** Long values are cut. */
  inputs: Inputs;
  state: RunState;
  /** Timestamp of the first message of its thread; null until it is posted. */
  rootTs: string | null;
  /** Its crew isn't configured at the moment. */
  crewMissing?: true;
}

/** A request for human input that waits for a decision. */
export interface OpenRequest
  extends Pick<Question, 'taskId' | 'taskName' | 'isTitled' | 'round' | 'askedAt' | 'output' | 'repeatsRound'> {
  run: OpenRun;
  approvalId: string;
  /** One line of plain text that tells the request from those of other runs of the crew. */
  about: string;
  /** Present if people choose from outcomes or fill in fields, instead of approving or rejecting. */
  hasOutcomes?: true;
  /** Inputs of the request itself, for rules that depend on them; missing if it has none. Long values are cut. */
  inputs?: Inputs;
  /** Places of the rules by which the request was escalated. */
  escalated: readonly string[];
  handedOver: readonly HandOver[];
  /** Keys of the complete stages. */
  stages: readonly string[];
  /** Ids of the people who have approved the open stage. */
  voters: readonly string[];
  /** The way each of these votes counts, in the order of the votes; missing where only their number matters. */
  countedAs?: readonly CountedAs[];
  /** Ids of the people who have approved earlier stages. */
  votersBefore: readonly string[];
  /** Null if the request never expires. */
  expireAt: Millis | null;
  /** Timestamp of the card; null until it is posted. */
  cardTs: string | null;
}

/** A decision of the history, with what the record of the run says about it. */
export interface PastDecision extends DecidedRequest {
  /** Null if the record has expired, and for all but the newest few hundred decisions. */
  record: DecidedRecord | null;
}

interface DecidedRecord extends Omit<RequestFacts, 'starterId'> {
  /** The line of `OpenRequest`. */
  about: string;
  /** Null if the run was started elsewhere. */
  starter: Person | null;
  handedOver: readonly HandOver[];
  /** The chosen outcome; '' if people filled in fields, null if they approved or rejected. */
  answer: string | null;
  /** Timestamp of the card; null until it was posted. */
  cardTs: string | null;
}

/** Ten thousand summaries are in memory at once, and a list shows little more than this. */
const MOST_OF_INPUT = 200;

export interface RunSummary {
  /** Null if the run has ended or isn't tracked. */
  run: OpenRun | null;
  requests: readonly OpenRequest[];
}

export const NOTHING_OPEN: RunSummary = { run: null, requests: [] };

export function summaryOf(execution: Execution): RunSummary {
  if (execution.unfollowed || hasEnded(execution)) return NOTHING_OPEN;
  const { ref, crew, channel, createdAt } = execution;
  const inputs = cutInputs(execution.inputs);
  const rootTs = threadTsOf(execution);
  const run: OpenRun = {
    ref,
    crew,
    channel,
    ...startedBy(execution),
    inputs,
    createdAt,
    state: runState(rootModel(execution)),
    rootTs,
    ...(missesCrew(execution) && { crewMissing: true }),
  };
  return { run, requests: execution.requests.flatMap((request) => requestOf(execution, run, request)) };
}

/** Returns null if the record has no such request. */
export function decidedRecordOf(execution: Execution, approvalId: string): DecidedRecord | null {
  const request = findRequest(execution, approvalId);
  if (!request) return null;
  const { taskId, taskName, isTitled, round, askedAt } = request.question;
  const { handedOver } = request.discussion;
  const decision = decisionOf(request);
  return {
    channel: execution.channel,
    about: aboutRequest(execution, request.question),
    starter: starterOf(execution),
    inputs: cutInputs(inputsOf(execution, request.question)),
    taskId,
    taskName,
    isTitled,
    round,
    askedAt,
    ...progressFacts(request.discussion),
    handedOver,
    answer: decision?.outcome ?? (decision?.answer ? '' : null),
    cardTs: cardTsOf(execution, request),
  };
}

/** Returns the facts about a listed request that rules may depend on. */
export function askedOf(
  run: Pick<OpenRun, 'inputs' | 'channel' | 'starter'>,
  request: Omit<RequestFacts, 'inputs' | 'channel' | 'starterId'> & { inputs?: Inputs },
): RequestFacts {
  const { channel, starter } = run;
  const { taskId, taskName, isTitled, round, askedAt, stages, escalated, inputs: own = null } = request;
  const inputs = inputsOf(run, { inputs: own });
  const task = { taskId, taskName, isTitled };
  return { ...task, round, askedAt, stages, escalated, inputs, channel, starterId: starter?.id ?? null };
}

function requestOf(execution: Execution, run: OpenRun, request: HumanRequest): OpenRequest[] {
  if (request.state.status !== 'pending') return [];
  const { id: approvalId } = request;
  const { taskId, taskName, isTitled, round, askedAt, output, repeatsRound } = request.question;
  const { handedOver } = request.discussion;
  const about = aboutRequest(run, request.question);
  const { expireAt } = request.discussion.times;
  const voters = request.discussion.votes.map(({ by }) => by.id);
  const countedAs = request.discussion.votes.map(({ rule, seat, under }): CountedAs => ({ rule, seat, under }));
  const votersBefore = request.discussion.stages.flatMap(({ votes }) => votes.map(({ by }) => by.id));
  const cardTs = cardTsOf(execution, request);
  const isPlainVerdict = request.question.outcomes === null && request.question.fields === null;
  const outcomes = isPlainVerdict ? null : ({ hasOutcomes: true } as const);
  const own = request.question.inputs && { inputs: cutInputs(request.question.inputs) };
  const question = { taskId, taskName, isTitled, round, askedAt, output, about, ...outcomes, repeatsRound, ...own };
  const isPlain = countedAs.every(({ rule, under }) => rule === undefined && under === undefined);
  const decided = {
    ...progressFacts(request.discussion),
    handedOver,
    voters,
    ...(!isPlain && { countedAs }),
    votersBefore,
  };
  return [{ run, approvalId, ...question, ...decided, expireAt, cardTs }];
}

function cutInputs(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, cutValue(value)]));
}

function cutValue(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A slice would keep the whole text in memory.
  return text.length <= MOST_OF_INPUT ? value : [...shortened(text, MOST_OF_INPUT)].join('');
}
