import { randomBytes } from 'node:crypto';
import type { Execution } from '../../core/execution/execution.ts';
import type { Millis } from '../../core/time.ts';
import { type Deadline, type RedisClient, runScript } from '../connection/call.ts';
import { recordKeys } from '../keys.ts';
import { indexChanges } from './indexes.ts';
import { followLinks } from './links.ts';
import { dueAtOf, readRecord, writeRecord } from './record.ts';
import { mayExpire } from './retention.ts';
import { LOAD, SWAP, WRITE_ID_LENGTH } from './scripts.ts';

/** An execution as it was loaded, with the write ids it must still have when it is replaced, and the time. */
interface Stored {
  execution: Execution | null;
  writes: string;
  now: Millis;
}

/** @throws {StoreUnavailable} @throws {UnreadableRecord} */
export async function loadRecord(redis: RedisClient, ref: string, until: Deadline): Promise<Stored> {
  const { text, writes, now } = await loadText(redis, ref, until);
  return { execution: text === null ? null : readRecord(ref, text), writes, now };
}

/** The stored text as it is, readable or not. */
export async function loadText(redis: RedisClient, ref: string, until: Deadline) {
  const [writes, text, now] = await runScript(redis, LOAD, { keys: [recordKeys(ref).record], until });
  return { text, writes: writes ?? '', now };
}

/**
 * Replaces what was loaded, together with due time, indexes and lifetime, unless it has changed since. A retry after a lost
 * answer finds its own write id and succeeds.
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
