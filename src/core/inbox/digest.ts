import { HOUR_MS } from '../../core/time.ts';
// When the digests of a person are due.

import type { Millis } from '../time.ts';
import { dateOf, instantOf, localDay, offsetSpanAt } from '../working-hours.ts';
import { type PersonSettings, quietUntil } from './person-settings.ts';

/** When a digest is due. There is at most one for each key. */
export interface DigestSlot {
  key: string;
  at: Millis;
}

export interface DigestClaims {
  /**
   * Whether this digest of a person is for this process to send: each is for one process, once, and none comes after a later
   * one. Throws `StoreUnavailable`.
   */
  claim(personId: string, slot: DigestSlot): Promise<boolean>;
}

/** What couldn't be sent for so long isn't any more. */
const LATEST_MS = 12 * HOUR_MS;

/**
 * The latest slot of a person that is due, whether or not its digest was sent; null if none is. In quiet hours it waits for
 * their end, and what falls into an absence is left out. Who is told at once has one whenever a request is back that they have
 * put off.
 */
export function digestSlot(settings: PersonSettings, now: Millis, timeZone: string): DigestSlot | null {
  const { quiet, away } = settings;
  const slot = plainSlot(settings, now, timeZone);
  if (slot === null) return null;
  const isAway = away !== null && slot.at >= away.since && slot.at < away.until;
  if (isAway || (away !== null && now < away.until)) return null;
  const at = quietUntil(quiet, slot.at, timeZone) ?? slot.at;
  return at <= now && now - at <= LATEST_MS ? { ...slot, at } : null;
}

/** By the clock alone. */
function plainSlot({ tell, snoozed }: PersonSettings, now: Millis, timeZone: string): DigestSlot | null {
  switch (tell.kind) {
    case 'off':
      return null;
    case 'at-once': {
      const ended = snoozed.map(({ until }) => until).filter((until) => until <= now);
      const at = Math.max(...ended);
      return ended.length === 0 ? null : { key: `snoozed ${at}`, at };
    }
    case 'hourly':
    case 'daily': {
      const slot = tell.kind === 'hourly' ? hourlySlot(now, timeZone) : dailySlot(tell.at, now, timeZone);
      return slot.at <= tell.since ? null : slot;
    }
  }
}

/** On the hour, by the clocks of the time zone. */
function hourlySlot(now: Millis, timeZone: string): DigestSlot {
  const { offsetMs } = offsetSpanAt(now, timeZone);
  const at = Math.floor((now + offsetMs) / HOUR_MS) * HOUR_MS - offsetMs;
  return { key: String(at), at };
}

/** The key is the date, so that a change of the time zone brings no second one on the same day. */
function dailySlot(minutes: number, now: Millis, timeZone: string): DigestSlot {
  const today = localDay(now, timeZone);
  const day = instantOf(today, minutes, timeZone) <= now ? today : today - 1;
  return { key: `${dateOf(day)} ${minutes}`, at: instantOf(day, minutes, timeZone) };
}
