import { StoreUnavailable } from '../core/ports.ts';
import { DAY_MS, type Millis, parseDuration } from '../core/values/time.ts';
import { UntrustedLedger } from '../ledger/sealed-tree.ts';
import type { RedisClient } from '../redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../redis/connection.ts';
import { UnreadableEntry } from '../redis/ledger/entries.ts';

// Shared parts of `npm run audit` and `npm run report`: settings, Redis, times and errors. Doctor's trial uses them, too.

/** Settings. Each throws `CannotAudit` if it is missing, so a command asks only for those that it needs. */
export interface LedgerSettings {
  redisUrl(): string;
  /** Newest first. */
  secrets(): readonly string[];
  auditDays(): number;
}

/** Thrown with one line that tells the person what to do. */
export class CannotAudit extends Error {
  override name = 'CannotAudit';
}

/** Connects to Redis for one action. @throws {CannotAudit} also if the ledger can't be read, or isn't what was sealed */
export async function withRedis<Outcome>(
  { redisUrl }: Pick<LedgerSettings, 'redisUrl'>,
  act: (redis: RedisClient) => Promise<Outcome>,
): Promise<Outcome> {
  const redis = connectRedis(redisUrl(), { onTrouble: () => {} });
  try {
    await pingRedis(redis);
    return await act(redis);
  } catch (error) {
    const isKnown = [UntrustedLedger, UnreadableEntry, StoreUnavailable].some((Fault) => error instanceof Fault);
    if (isKnown && error instanceof Error) throw new CannotAudit(error.message);
    throw error;
  } finally {
    await closeRedis(redis);
  }
}

/** A month, day or time, in UTC unless it has a zone: https://www.iso.org/iso-8601-date-and-time-format.html */
const DATE = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?)?$/i;

/** Days with names, by the number of days since then. */
const DAYS: Record<string, number> = { today: 0, yesterday: 1 };

/** Parses the time of an option, given as a date or as time ago; null without the option. @throws {CannotAudit} */
export function timeOf(name: string, text: string | undefined, now: Millis): Millis | null {
  if (text === undefined) return null;
  const typed = text.trim().toLowerCase().replace(/ ago$/, '');
  const days = DAYS[typed];
  if (days !== undefined) return Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
  const ago = parseDuration(typed);
  if (ago !== undefined) return now - ago;
  const date = text.trim().replace(' ', 'T');
  const hasZone = !/t/i.test(date) || /(Z|[+-]\d{2}:\d{2})$/i.test(date);
  const time = DATE.test(date) ? Date.parse(hasZone ? date : `${date}Z`) : Number.NaN;
  if (Number.isNaN(time))
    throw new CannotAudit(
      `--${name} must be a date or time such as 2026-11-22 or 2026-11-22T09:30Z, or how long ago that was, such as 7d.`,
    );
  return time;
}

/** Returns ` since 2026-11-22 09:30 UTC and before …`, or nothing without bounds. */
export function periodText({ since, until }: { since: Millis | null; until: Millis | null }): string {
  const bounds = [
    ...(since === null ? [] : [`since ${utc(since)}`]),
    ...(until === null ? [] : [`before ${utc(until)}`]),
  ];
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

export function utc(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 'YYYY-MM-DD HH:MM'.length).replace('T', ' ')} UTC`;
}
