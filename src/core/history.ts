import { DAY_MS } from '../core/time.ts';
// What is remembered of requests that were decided and of runs that have ended, also where the record has expired since.
import type { Approval, Decision, Verdict } from './approval/approval.ts';
import { allVotes } from './approval/progress.ts';
import { type Execution, starterOf } from './execution/execution.ts';
import type { Millis } from './time.ts';
import { offsetSpanAt } from './working-hours.ts';

/**
 * What was decided in the last 31 days, also where the record has expired since. Of more than some
 * 100,000, the oldest are left out.
 */
export interface History {
  /** Oldest first. Throws `StoreUnavailable`. */
  decidedSince(at: Millis): Promise<DecidedRequest[]>;
}

/** How a request ended: what the crew was to be told, or nothing, because nobody decided in time. */
type Outcome = Verdict | 'closed';

/** A request that people or time have decided, as it is remembered when its record has expired. */
export interface DecidedRequest {
  ref: string;
  approvalId: string;
  crew: string;
  /** Its name, cut short, or else its id. */
  task: string;
  round: number;
  /** The rounds that the task has taken since the start or since its last approval, this one included. */
  rounds: number;
  outcome: Outcome;
  /** The ids of the people whose verdict it was, the one who completed it last; nobody if time decided. */
  by: readonly string[];
  askedAt: Millis;
  decidedAt: Millis;
}

/**
 * The decided requests of a run. A decision counts from the moment it was made, also if the crew never takes it or the run
 * ends before that; one that is undone is none.
 */
export function decidedIn(execution: Execution): DecidedRequest[] {
  return execution.approvals.flatMap((approval) => {
    const decided = decidedOf(execution, approval);
    return decided ? [decided] : [];
  });
}

/** Whether its decision can't be undone any more. */
export function isFinal(approval: Approval): boolean {
  return approval.status !== 'decided' || approval.undoUntil === null;
}

/** Null while it waits, and for one that became void while it did. */
export function decidedOf({ ref, crew, approvals }: Execution, approval: Approval): DecidedRequest | null {
  const ended = outcomeOf(approval);
  if (!ended) return null;
  const { id: approvalId, taskName, taskId, round, askedAt } = approval;
  const rounds = roundsOf(approvals, approval);
  return { ref, approvalId, crew, task: taskName ?? taskId, round, rounds, askedAt, ...ended };
}

function outcomeOf(approval: Approval): Pick<DecidedRequest, 'outcome' | 'by' | 'decidedAt'> | null {
  switch (approval.status) {
    case 'pending':
      return null;
    case 'expired':
      return { outcome: 'closed', by: [], decidedAt: approval.expiredAt };
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
    case 'superseded': {
      const { decision } = approval;
      return decision && { outcome: decision.verdict, by: decidersOf(approval, decision), decidedAt: decision.at };
    }
  }
}

/** One rejection, or a final no, decides by itself, against all votes. */
function decidersOf(approval: Approval, { verdict, by }: Decision): string[] {
  if (!by) return [];
  const voters = verdict === 'approve' ? allVotes(approval).map((vote) => vote.by.id) : [];
  return [...voters.filter((id) => id !== by.id), by.id];
}

/** A task that was approved may be asked about again, which isn't another round of the same text. */
function roundsOf(approvals: readonly Approval[], { taskId, round }: Approval): number {
  const approved = approvals.findLast(
    (each) => each.taskId === taskId && each.round < round && outcomeOf(each)?.outcome === 'approve',
  );
  return round - (approved?.round ?? 0);
}

/** A run that has ended, as it is remembered when its record has expired. */
export interface EndedRun {
  ref: string;
  /** The id of the person who started it; null for one that was started elsewhere. */
  startedBy: string | null;
  endedAt: Millis;
}

/**
 * Null while it may still do something, as far as we know. One that is lost, or was never started, has ended, until it proves
 * to be alive.
 */
export function endedRunOf(execution: Execution): EndedRun | null {
  const endedAt = endOf(execution);
  return endedAt === null ? null : { ref: execution.ref, startedBy: starterOf(execution)?.id ?? null, endedAt };
}

function endOf({ run }: Execution): Millis | null {
  switch (run.status) {
    case 'completed':
    case 'failed':
    case 'not-started':
      return run.endedAt;
    case 'lost':
      return run.lostAt;
    case 'starting':
    case 'running':
    case 'waiting':
    case 'unconfirmed':
      return null;
  }
}

// What decisions add up to: how many, how fast, by whom, and on which days.
const MOST_DECIDERS = 3;

/** What became of some requests. */
export interface DecisionSummary {
  /** Decisions that people made, also those that the crew never took. */
  approved: number;
  changesRequested: number;
  /** A final no. */
  declined: number;
  /** Requests that nobody decided in time, whatever the crew was told then. */
  expired: number;
  /** How long the people's decisions took, from the request on; null if they made none. */
  timeToDecision: { medianMs: Millis; p90Ms: Millis } | null;
  approvals: ApprovalRounds | null;
  /** Those who took part in the most decisions, at most three: with a quorum, each of its voters did. */
  deciders: { id: string; decisions: number }[];
}

/** How many rounds approvals took, each since the task began or was last approved; null if nothing was approved. */
interface ApprovalRounds {
  /** On average. */
  rounds: number;
  /** How many of them took one round only. */
  atFirst: number;
}

export function summarize(requests: readonly DecidedRequest[]): DecisionSummary {
  const decided = requests.filter(isByPeople);
  const approved = decided.filter(({ outcome }) => outcome === 'approve');
  return {
    approved: approved.length,
    changesRequested: decided.filter(({ outcome }) => outcome === 'reject').length,
    declined: decided.filter(({ outcome }) => outcome === 'decline').length,
    expired: requests.length - decided.length,
    timeToDecision: timesOf(decided),
    approvals: approvalRounds(approved),
    deciders: mostFrequentDeciders(decided),
  };
}

/** Otherwise time decided. */
export function isByPeople({ by }: DecidedRequest): boolean {
  return by.length > 0;
}

function timesOf(decided: readonly DecidedRequest[]): DecisionSummary['timeToDecision'] {
  const times = decided.map(({ askedAt, decidedAt }) => decidedAt - askedAt);
  const [medianMs, p90Ms] = [quantile(times, 0.5), quantile(times, 0.9)];
  return medianMs === null || p90Ms === null ? null : { medianMs, p90Ms };
}

function approvalRounds(approved: readonly DecidedRequest[]): ApprovalRounds | null {
  if (approved.length === 0) return null;
  const sum = approved.reduce((rounds, each) => rounds + each.rounds, 0);
  return { rounds: sum / approved.length, atFirst: approved.filter(({ rounds }) => rounds === 1).length };
}

function mostFrequentDeciders(decided: readonly DecidedRequest[]): DecisionSummary['deciders'] {
  const counts = new Map<string, number>();
  for (const { by } of decided) for (const id of by) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = Array.from(counts, ([id, decisions]) => ({ id, decisions }));
  return all.sort((one, other) => other.decisions - one.decisions).slice(0, MOST_DECIDERS);
}

/**
 * The smallest value that at least this share of all values don't exceed (the nearest rank), so one that really occurred;
 * null without values. https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export interface DecisionDay {
  /** Midnight of that date in UTC: what names the date, not when the day began. */
  date: Millis;
  decisions: number;
}

/** The decisions that people made on each of the last days by the clocks of a time zone, oldest first, today last. */
export function decisionsADay(
  requests: readonly DecidedRequest[],
  { now, days, timeZone }: { now: Millis; days: number; timeZone: string },
): DecisionDay[] {
  const counts = new Map<number, number>();
  for (const request of requests.filter(isByPeople)) {
    const day = dayOf(request.decidedAt, timeZone);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const first = dayOf(now, timeZone) - days + 1;
  return Array.from({ length: days }, (_, i) => ({
    date: (first + i) * DAY_MS,
    decisions: counts.get(first + i) ?? 0,
  }));
}

/** The number of the date since 1970. */
function dayOf(at: Millis, timeZone: string): number {
  return Math.floor((at + offsetSpanAt(at, timeZone).offsetMs) / DAY_MS);
}
