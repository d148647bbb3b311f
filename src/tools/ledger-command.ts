import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import { UntrustedLedger } from '../ledger/sealed-tree.ts';
import type { RedisClient } from '../redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../redis/connection.ts';
import { UnreadableEntry } from '../redis/ledger/entries.ts';

// What `npm run audit` and `npm run report` have in common: their settings, their Redis, times, and how they fail. Doctor's trial
// writes an entry by the same Redis.

/** Each throws `CannotAudit` where it is missing, and is asked only by a command that needs it. */
export interface LedgerSettings {
  redisUrl(): string;
  /** Newest first. */
  secrets(): readonly string[];
  auditDays(): number;
}

/** Thrown with one line that says what to do. */
export class CannotAudit extends Error {
  override name = 'CannotAudit';
}

/** @throws {CannotAudit} also where the ledger can't be read, or isn't what was sealed */
export async function withRedis<Outcome>(
  { redisUrl }: Pick<LedgerSettings, 'redisUrl'>,
  act: (redis: RedisClient) => Promise<Outcome>,
): Promise<Outcome> {
  const redis = connectRedis(redisUrl(), { onTrouble: () => {} });
  try {
    await pingRedis(redis);
    return await act(redis);
  } catch (error) {
    const isKnown = [UntrustedLedger, UnreadableEntry, StoreUnavailable].some((known) => error instanceof known);
    if (isKnown && error instanceof Error) throw new CannotAudit(error.message);
    throw error;
  } finally {
    await closeRedis(redis);
  }
}

/** https://www.iso.org/iso-8601-date-and-time-format.html, in UTC unless it says otherwise. */
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** The time that an option gives; null without it. @throws {CannotAudit} */
export function timeOf(name: string, text: string | undefined): Millis | null {
  if (text === undefined) return null;
  const hasZone = !text.includes('T') || /(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = DATE.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time))
    throw new CannotAudit(`--${name} must be a date or time such as 2026-11-22 or 2026-11-22T09:30Z.`);
  return time;
}
