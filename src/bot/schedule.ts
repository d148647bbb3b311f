// Work that a process repeats as long as it runs.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Absences } from '../core/inbox/person-settings.ts';
import type { Millis } from '../core/values/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { markFormat } from '../redis/format.ts';
import { trimHistory } from '../redis/indexes.ts';
import { trimRunNames } from '../redis/run-names.ts';
import { createFollowAbsences } from '../slack/features/settings/absences.ts';
import type { Parts } from './parts.ts';

const FOLLOW_ABSENCES_EVERY_MS = 10_000;

/** Hands requests of people who are away over to their stand-ins. */
export function startFollowingAbsences(parts: Parts, absences: Absences, everyMs: Millis = FOLLOW_ABSENCES_EVERY_MS) {
  const { log, metrics } = parts;
  const follow = createFollowAbsences(parts, absences);
  const failed = 'could not follow the absences of people; trying again';
  return repeat(() => follow(Date.now()), { everyMs, log, failed, onFault: (error) => metrics.fault('worker', error) });
}

const TRIM_HISTORY_EVERY_MS = 60 * 60_000;

/**
 * Removes, now and once an hour, history that Slack no longer shows and names of runs that the ledger no longer has. It also writes the
 * data's format again, for which the next start looks. Several processes may do this at once.
 */
export function startTrimmingHistory(
  redis: RedisClient,
  { auditDays, log, everyMs = TRIM_HISTORY_EVERY_MS }: { auditDays: number; log: Logger; everyMs?: Millis },
) {
  const failed = 'could not forget the old history; trying again in an hour';
  const trim = async () => {
    await trimHistory(redis);
    await trimRunNames(redis, auditDays);
    await markFormat(redis);
  };
  return repeat(trim, { everyMs, first: 'now', log, failed });
}

const RETRY_MS = 1_000;

/** Does something once, and repeats it every second while it fails, unless the process stops. Never rejects. */
export async function untilDone(
  work: () => Promise<void>,
  { signal, log, failed }: { signal: AbortSignal; log: Logger; failed: string },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      log.warn({ err: error }, failed);
      await pause(RETRY_MS, null, { signal }).catch(() => {});
    }
  }
}

interface RepeatOptions {
  everyMs: Millis;
  /** The first time: now, or after `everyMs`, which is the default. */
  first?: 'now' | 'later';
  log: Logger;
  failed: string;
  onFault?: (error: unknown) => void;
}

/** Repeats something, never twice at a time. A failure is logged, and tried again the next time. */
function repeat(
  work: () => Promise<void>,
  { everyMs, first = 'later', log, failed, onFault = () => {} }: RepeatOptions,
) {
  let working: Promise<void> | null = null;
  const tick = async () => {
    try {
      await work();
    } catch (error) {
      onFault(error);
      log.error({ err: error }, failed);
    }
    working = null;
  };
  if (first === 'now') working = tick();
  const timer = setInterval(() => {
    working ??= tick();
  }, everyMs).unref();
  return {
    /** Resolves when the work in progress has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await working;
    },
  };
}
