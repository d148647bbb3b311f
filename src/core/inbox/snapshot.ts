// What goes on in all runs, as lists show it: open requests, runs, and what was decided and has ended lately.

import { type RunState, rootModel, runState } from '../messages/view-models.ts';
import { type Asked, progressFacts } from '../policy/condition.ts';
import type { CountedAs } from '../policy/progress.ts';
import { aboutRequest } from '../state/about.ts';
import { type Approval, decisionOf, type HandOver, type Person } from '../state/approval.ts';
import {
  type Execution,
  findApproval,
  hasEnded,
  inputsOf,
  missesCrew,
  type StartedBy,
  startedBy,
  starterOf,
  threadTsOf,
} from '../state/execution.ts';
import { cardTsOf } from '../state/message.ts';
import { shortened } from '../values/cut.ts';
import type { Inputs, Json } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import type { DecidedRequest, EndedRun } from './history.ts';

/** What goes on in all runs, for the lists that people see. */
export interface Overview {
  /** At most about 1.5 seconds old, or with `now` not older than this call. Throws `StoreUnavailable`. */
  latest(wanted?: 'now'): Promise<Snapshot>;
  /** The open requests alone, as old as those of `latest`: what has ended is neither read nor kept. Throws `StoreUnavailable`. */
  openRequests(): Promise<readonly OpenRequest[]>;
  /** The same of the runs in progress. */
  openRuns(): Promise<readonly OpenRun[]>;
}

/** What goes on in all runs at one moment, as the lists of people need it. The same object as long as nothing has changed. */
export interface Snapshot {
  /** By the clock of the store. */
  at: Millis;
  /** The requests that nobody has decided yet, oldest first. */
  requests: readonly OpenRequest[];
  /** The runs in progress, newest first; not those that nobody tracks. */
  runs: readonly OpenRun[];
  /** What was decided within the last seven days, newest first; the newest thousands of them. */
  decisions: readonly PastDecision[];
  /** The runs that ended within the last seven days, newest first; the newest thousands of them. */
  ended: readonly EndedRun[];
}

export interface OpenRun extends StartedBy, Pick<Execution, 'ref' | 'crew' | 'channel' | 'createdAt'> {
  /** Long values are cut. */
  inputs: Inputs;
  state: RunState;
  /** Of the first message of its thread; null until it is posted. */
  rootTs: string | null;
  /** Its crew isn't configured at the moment. */
  crewMissing?: true;
}

/** A request for human input that waits for a decision. */
export interface OpenRequest
  extends Pick<Approval, 'taskId' | 'taskName' | 'isTitled' | 'round' | 'askedAt' | 'output' | 'repeatsRound'> {
  run: OpenRun;
  approvalId: string;
  /** What it is about, to tell it from those of other runs of the crew; one line of plain text. */
  about: string;
  /** Whether people choose from outcomes or fill in fields, which its card and its review show; left out where they approve or reject. */
  hasOutcomes?: true;
  /** What the request says itself of what rules may depend on; left out where it says nothing. Long values are cut. */
  inputs?: Inputs;
  /** The places of the rules by which it was escalated. */
  escalated: readonly string[];
  handedOver: readonly HandOver[];
  /** The keys of its stages that are complete. */
  stages: readonly string[];
  /** The ids of those who have approved, of its stage, where several have to. */
  voters: readonly string[];
  /** As what their votes count, where that takes more than their number; in the same order. */
  countedAs?: readonly CountedAs[];
  /** The ids of those who have approved the stages before. */
  votersBefore: readonly string[];
  /** When it closes by itself; null for never. */
  expireAt: Millis | null;
  /** Of its card; null until it is posted. */
  cardTs: string | null;
}

/** A decision as the history keeps it, and what the run's record says about it. */
export interface PastDecision extends DecidedRequest {
  /** Null for a record that has expired, and for all but the newest few hundred decisions. */
  record: DecidedRecord | null;
}

interface DecidedRecord extends Omit<Asked, 'starterId'> {
  /** What the request was about, as lists of open ones say it. */
  about: string;
  /** Null if the run was started elsewhere. */
  starter: Person | null;
  handedOver: readonly HandOver[];
  /** The outcome that was chosen, or '' for an answer in fields; null where it was neither. */
  answer: string | null;
  /** Of its card; null until it was posted. */
  cardTs: string | null;
}

/** Ten thousand summaries are held at once, and a list shows little more. */
const MOST_OF_INPUT = 200;

export interface RunSummary {
  /** Null if it has ended, or nobody tracks it. */
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
  return { run, requests: execution.approvals.flatMap((approval) => requestOf(execution, run, approval)) };
}

/** Null if the record has no such request. */
export function decidedRecordOf(execution: Execution, approvalId: string): DecidedRecord | null {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const { taskId, taskName, isTitled, round, askedAt, handedOver } = approval;
  const decision = decisionOf(approval);
  return {
    channel: execution.channel,
    about: aboutRequest(execution, approval),
    starter: starterOf(execution),
    inputs: cutInputs(inputsOf(execution, approval)),
    taskId,
    taskName,
    isTitled,
    round,
    askedAt,
    ...progressFacts(approval),
    handedOver,
    answer: decision?.outcome ?? (decision?.answer ? '' : null),
    cardTs: cardTsOf(execution, approval),
  };
}

/** What rules may need to know of a request in a list. */
export function askedOf(
  run: Pick<OpenRun, 'inputs' | 'channel' | 'starter'>,
  request: Omit<Asked, 'inputs' | 'channel' | 'starterId'> & { inputs?: Inputs },
): Asked {
  const { channel, starter } = run;
  const { taskId, taskName, isTitled, round, askedAt, stages, escalated, inputs: own = null } = request;
  const inputs = inputsOf(run, { inputs: own });
  const task = { taskId, taskName, isTitled };
  return { ...task, round, askedAt, stages, escalated, inputs, channel, starterId: starter?.id ?? null };
}

function requestOf(execution: Execution, run: OpenRun, approval: Approval): OpenRequest[] {
  if (approval.status !== 'pending') return [];
  const { id: approvalId, taskId, taskName, isTitled, round, askedAt, output, repeatsRound, handedOver } = approval;
  const about = aboutRequest(run, approval);
  const { expireAt } = approval.times;
  const voters = approval.votes.map(({ by }) => by.id);
  const countedAs = approval.votes.map(({ rule, seat, under }): CountedAs => ({ rule, seat, under }));
  const votersBefore = approval.stages.flatMap(({ votes }) => votes.map(({ by }) => by.id));
  const cardTs = cardTsOf(execution, approval);
  const isPlainVerdict = approval.outcomes === null && approval.fields === null;
  const outcomes = isPlainVerdict ? null : ({ hasOutcomes: true } as const);
  const own = approval.inputs && { inputs: cutInputs(approval.inputs) };
  const asked = { taskId, taskName, isTitled, round, askedAt, output, about, ...outcomes, repeatsRound, ...own };
  const isPlain = countedAs.every(({ rule, under }) => rule === undefined && under === undefined);
  const decided = { ...progressFacts(approval), handedOver, voters, ...(!isPlain && { countedAs }), votersBefore };
  return [{ run, approvalId, ...asked, ...decided, expireAt, cardTs }];
}

function cutInputs(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, cutValue(value)]));
}

function cutValue(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A slice would keep the whole text in memory.
  return text.length <= MOST_OF_INPUT ? value : [...shortened(text, MOST_OF_INPUT)].join('');
}
