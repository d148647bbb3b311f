import { randomBytes } from 'node:crypto';
import type { Execution } from '../../core/execution/execution.ts';
import type { Millis } from '../../core/time.ts';
import { type Deadline, type RedisClient, runScript } from '../connection/call.ts';
import { recordKeys } from '../keys.ts';
import { indexChanges, mayExpire } from './indexes.ts';
import { followLinks } from './links.ts';
import { dueAtOf, readRecord, writeRecord } from './record.ts';
import { LOAD, SWAP, WRITE_ID_LENGTH } from './scripts.ts';

/** An execution as it was found: with the write ids that it must still have when it is replaced, and the time. */
export interface Stored {
  execution: Execution | null;
  writes: string;
  now: Millis;
}

/** @throws {StoreUnavailable} @throws {UnreadableRecord} */
export async function loadRecord(redis: RedisClient, ref: string, until: Deadline): Promise<Stored> {
  const { text, writes, now } = await loadText(redis, ref, until);
  return { execution: text === null ? null : readRecord(ref, text), writes, now };
}

/** What lies at the place of the record, whatever it is. */
export async function loadText(redis: RedisClient, ref: string, until: Deadline) {
  const [writes, text, now] = await runScript(redis, LOAD, { keys: [recordKeys(ref).record], until });
  return { text, writes: writes ?? '', now };
}

/**
 * Replaces what was found by its successor together with due time, indexes and lifetime, unless somebody was faster.
 * A repetition after a lost answer finds its own write id and has succeeded.
 * @throws {StoreUnavailable}
 */
export async function swapRecord(
  redis: RedisClient,
  before: Stored,
  after: Execution,
  { retentionMs, headStartMs, until }: { retentionMs: number; headStartMs: number; until: Deadline },
): Promise<'written' | 'conflict'> {
  const { record, due, outputs, activity, links } = recordKeys(after.ref);
  const entries = indexChanges(before.execution, after);
  const liveMs = mayExpire(after) ? retentionMs : '';
  const dueTime = dueAtOf(after);
  const claimableAt = dueTime === null ? '' : Math.max(dueTime, headStartMs > 0 ? before.now + headStartMs : 0);
  const places = entries.flatMap(({ member, score }) => [member, score ?? '']);
  const [outcome, followers, leftMs] = await runScript(redis, SWAP, {
    keys: [record, due, outputs, activity, links, ...entries.map(({ key }) => key)],
    args: [before.writes, newWriteId(), writeRecord(after), claimableAt, after.ref, liveMs, ...places],
    until,
  });
  await followLinks(redis, followers, { ref: after.ref, liveMs: leftMs < 0 ? '' : leftMs, until });
  return outcome;
}

function newWriteId(): string {
  return randomBytes((WRITE_ID_LENGTH * 3) / 4).toString('base64url');
}
