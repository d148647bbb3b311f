// What a person has put off: it is hidden from what waits for them until a time, and back before it expires. It changes nothing for others.

import { DAY_MS, HOUR_MS, type Millis } from '../time.ts';
import { instantOf, localDay } from '../working-hours.ts';
import type { OpenRequest } from './snapshot.ts';

/** A request that a person has put off. */
export interface Snooze {
  ref: string;
  approvalId: string;
  until: Millis;
}

export type SnoozeKey = Pick<Snooze, 'ref' | 'approvalId'>;

type Snoozable = Pick<OpenRequest, 'approvalId' | 'expireAt'> & { run: { ref: string } };

/** So long before it expires, a request is back. */
const BACK_BEFORE_MS = HOUR_MS;

/** When a request is back that was put off until then. */
export function backAt({ expireAt }: Pick<OpenRequest, 'expireAt'>, until: Millis): Millis {
  return expireAt === null ? until : Math.min(until, expireAt - BACK_BEFORE_MS);
}

/** Finds out until when a request is hidden; null for one that isn't. */
export function snoozedUntil(snoozed: readonly Snooze[], now: Millis): (request: Snoozable) => Millis | null {
  const untilOf = new Map(snoozed.map((each) => [keyOf(each), each.until]));
  return (request) => {
    const until = untilOf.get(keyOf({ ref: request.run.ref, approvalId: request.approvalId }));
    const back = until === undefined ? now : backAt(request, until);
    return back > now ? back : null;
  };
}

/** Those of requests that are still open, each until it is back. */
export function openSnoozes(snoozed: readonly Snooze[], requests: readonly Snoozable[]): Snooze[] {
  const byKey = new Map(requests.map((each) => [keyOf({ ref: each.run.ref, approvalId: each.approvalId }), each]));
  return snoozed.flatMap((each) => {
    const request = byKey.get(keyOf(each));
    return request ? [{ ...each, until: backAt(request, each.until) }] : [];
  });
}

/** More than anybody looks through. */
const MOST_SNOOZED = 100;

/** With one more, or another time for it. What is over is forgotten after a day, in which its person may still be told. */
export function withSnooze(snoozed: readonly Snooze[], added: Snooze, now: Millis): Snooze[] {
  return [...withoutOld(withoutSnoozes(snoozed, [added]), now), added].slice(-MOST_SNOOZED);
}

export function withoutSnoozes(snoozed: readonly Snooze[], gone: readonly SnoozeKey[]): Snooze[] {
  const keys = new Set(gone.map(keyOf));
  return snoozed.filter((each) => !keys.has(keyOf(each)));
}

/** Without these, except what has been put off anew since they were read. */
export function withoutSame(snoozed: readonly Snooze[], gone: readonly Snooze[]): Snooze[] {
  const untilOf = new Map(gone.map((each) => [keyOf(each), each.until]));
  return snoozed.filter((each) => untilOf.get(keyOf(each)) !== each.until);
}

/** Without those that were over a day ago. */
export function withoutOld(snoozed: readonly Snooze[], now: Millis): Snooze[] {
  return snoozed.filter(({ until }) => until + DAY_MS >= now);
}

const LATER_MS = 3 * HOUR_MS;
const MORNING = 9 * 60;

/** In three hours, but at the latest when the day ends where the person is. */
export function laterToday(now: Millis, timeZone: string): Millis {
  return Math.min(now + LATER_MS, instantOf(localDay(now, timeZone) + 1, 0, timeZone));
}

export function tomorrowMorning(now: Millis, timeZone: string): Millis {
  return instantOf(localDay(now, timeZone) + 1, MORNING, timeZone);
}

function keyOf({ ref, approvalId }: SnoozeKey): string {
  return `${ref} ${approvalId}`;
}
