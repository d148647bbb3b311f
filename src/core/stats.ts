// What decisions add up to: how many, how fast, by whom, and on which days.

import type { DecidedRequest } from './history.ts';
import type { Millis } from './time.ts';
import { offsetSpanAt } from './working-hours.ts';

const MOST_DECIDERS = 3;
const DAY_MS = 86_400_000;

/** What became of some requests. */
export interface DecisionSummary {
  /** Decisions that people made, also those that the crew never took. */
  approved: number;
  changesRequested: number;
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
    changesRequested: decided.length - approved.length,
    expired: requests.length - decided.length,
    timeToDecision: timesOf(decided),
    approvals: roundsOf(approved),
    deciders: decidersOf(decided),
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

function roundsOf(approved: readonly DecidedRequest[]): ApprovalRounds | null {
  if (approved.length === 0) return null;
  const sum = approved.reduce((rounds, each) => rounds + each.rounds, 0);
  return { rounds: sum / approved.length, atFirst: approved.filter(({ rounds }) => rounds === 1).length };
}

function decidersOf(decided: readonly DecidedRequest[]): DecisionSummary['deciders'] {
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
