import type { LedgerEvent } from '../../core/ledger/entry.ts';
import { DAY_MS, type Millis } from '../../core/values/time.ts';
import { type Outcome, outcomesOf } from '../outcomes.ts';

// Counts the requests of each day by their fate, or of each week of a long time, for the page of a report.

/** The fates of requests. `open`: it waits, or has become void. */
export const FATES = ['in-target', 'later', 'expired', 'open'] as const;
export type Fate = (typeof FATES)[number];

export interface Day {
  /** Start of the day or week in UTC. */
  from: Millis;
  requests: Record<Fate, number>;
}

export interface ExpiredRequest extends Pick<Outcome, 'crew' | 'task' | 'round' | 'askedAt'> {
  ref: string;
  expiredAt: Millis;
}

/** More bars than this can't be told apart on a page. */
const MOST_DAYS = 92;
const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

/** Collects whole runs, and ignores requests outside of the period or of other crews. */
export function createDays({ since, until }: { since: Millis; until: Millis }, { crew, slaMs }: DaysOptions) {
  const isByDay = until - since <= MOST_DAYS * DAY_MS;
  const beginOf = (at: Millis) => (isByDay ? floor(at, DAY_MS, 0) : floor(at, WEEK_MS, FIRST_MONDAY));
  const stepMs = isByDay ? DAY_MS : WEEK_MS;
  const days = new Map<Millis, Day>();
  for (let from = beginOf(since); from < until; from += stepMs)
    days.set(from, { from, requests: { 'in-target': 0, later: 0, expired: 0, open: 0 } });
  const expired: ExpiredRequest[] = [];
  return {
    unit: isByDay ? ('day' as const) : ('week' as const),
    add(ref: string, run: readonly LedgerEvent[]): void {
      for (const outcome of outcomesOf(run)) {
        const { askedAt, expiredAt, task, round } = outcome;
        const day = days.get(beginOf(askedAt));
        if (!day || askedAt < since || askedAt >= until || (crew !== null && outcome.crew !== crew)) continue;
        day.requests[fateOf(outcome, slaMs)] += 1;
        if (expiredAt !== null) expired.push({ ref, crew: outcome.crew, task, round, askedAt, expiredAt });
      }
    },
    days: (): Day[] => [...days.values()],
    /** Returns expired requests, newest first. */
    expired: () => expired.toSorted((one, other) => other.expiredAt - one.expiredAt),
  };
}

interface DaysOptions {
  /** Null for all crews. */
  crew: string | null;
  slaMs: Millis;
}

function floor(at: Millis, step: Millis, first: Millis): Millis {
  return Math.floor((at - first) / step) * step + first;
}

function fateOf({ askedAt, decision, expiredAt }: Outcome, slaMs: Millis): Fate {
  if (decision !== null) return decision.at - askedAt <= slaMs ? 'in-target' : 'later';
  return expiredAt === null ? 'open' : 'expired';
}
