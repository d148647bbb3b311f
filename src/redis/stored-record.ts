import type { Execution } from '../core/execution/execution.ts';
import { type Entry, headAfter, type LedgerHead, newEntries } from '../core/ledger/entry.ts';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { type Deadline, insist, type RedisClient, runScript } from './call.ts';
import { LOAD, SWAP, WRITE_AGAIN } from './execution-scripts.ts';
import { indexChanges, mayExpire } from './indexes.ts';
import { recordKeys } from './keys.ts';
import { readHead } from './ledger/chain.ts';
import { appendArgs, appendKeys, type LedgerOptions } from './ledger/entries.ts';
import { followLinks } from './links.ts';
import type { HeldRecord, LocalState } from './local-state.ts';
import { dueAtOf, readRecord, writeRecord } from './record.ts';

// A record as it lies in Redis: loading it, replacing it by compare-and-set, and waiting until replicas have it. All write ids of a record
// together are its version.

/** An execution as it is stored, with the write ids it must still have when it is replaced, and the time. */
export interface Stored {
  execution: Execution | null;
  writes: string;
  now: Millis;
}

/** The state that Redis has at this moment. @throws {StoreUnavailable} @throws {UnreadableRecord} */
export async function loadRecord(redis: RedisClient, local: LocalState, ref: string, until: Deadline): Promise<Stored> {
  const held = local.records.get(ref);
  const askedAt = performance.now();
  const { text, writes, now } = await loadText(redis, local, { ref, known: held?.writes ?? '', until });
  if (!held || writes !== held.writes) return hold(local, ref, { text, writes, now, askedAt });
  local.records.put({ ...held, askedAt });
  return { execution: held.execution, writes, now };
}

/** The stored text as it is, readable or not; null if it is absent or has the known write ids. */
export async function loadText(
  redis: RedisClient,
  { clock }: LocalState,
  { ref, known, until }: { ref: string; known: string; until: Deadline },
) {
  const askedAt = performance.now();
  const [now, writes, text] = await runScript(redis, LOAD, { keys: [recordKeys(ref).record], args: [known], until });
  clock.learn(now, askedAt);
  return { text, writes: writes ?? '', now };
}

/** Without asking Redis: another process may have changed it since. Null if this process doesn't hold it. */
export function heldRecord({ records, clock }: LocalState, ref: string, mostAgeMs = Number.POSITIVE_INFINITY) {
  const [held, now] = [records.get(ref), clock.now()];
  if (!held || now === null || performance.now() - held.askedAt > mostAgeMs) return null;
  return { execution: held.execution, writes: held.writes, now };
}

/** `wrong-chain`: the ledger has entries of this run that the record doesn't know of. */
type Swapped =
  | { kind: 'written'; writeId: string }
  | { kind: 'wrong-chain'; head: LedgerHead }
  | { kind: 'conflict'; stored: Stored }
  | { kind: 'wrong-time'; now: Millis };

/** What it takes to store executions. */
export interface Storing extends LedgerOptions {
  redis: RedisClient;
  local: LocalState;
  retentionMs: number;
  headStartMs: number;
}

/**
 * Replaces what was loaded, together with due time, indexes and lifetime, unless it has changed since, or the change was made
 * for another time. A retry after a lost answer finds its own write id and succeeds.
 * @throws {StoreUnavailable} then nobody knows whether it was written
 */
export async function swapRecord(
  storing: Storing,
  { before, after, until }: { before: Stored; after: Execution; until: Deadline },
): Promise<Swapped> {
  const { redis, local } = storing;
  const { ref } = after;
  const { written, entries } = withEntries(after);
  const text = writeRecord(written);
  const writeId = local.newWriteId();
  const askedAt = performance.now();
  // What was stored is unknown until there is an answer.
  local.records.drop(ref);
  const call = swapCall(storing, { before, after: written, entries, text, writeId });
  const [outcome, now, writes, stored, links, leftMs] = await runScript(redis, SWAP, { ...call, until });
  local.clock.learn(now, askedAt);
  switch (outcome) {
    case 'written':
      if (writes !== null) keep(local, { execution: written, writes, askedAt, size: text.length });
      local.leased.delete(ref);
      if (links.length > 0) await followLinks(redis, links, { ref, liveMs: leftMs < 0 ? '' : leftMs, until });
      return { kind: 'written', writeId };
    case 'conflict':
      return { kind: 'conflict', stored: hold(local, ref, { text: stored, writes: writes ?? '', now, askedAt }) };
    case 'wrong time':
      return { kind: 'wrong-time', now };
    case 'wrong chain': {
      const { policy: _, ...head } = await readHead(redis, ref, until);
      return { kind: 'wrong-chain', head };
    }
  }
}

/** What is stored, and the entries that its events become. */
function withEntries(after: Execution): { written: Execution; entries: Entry[] } {
  if (after.ledgerEvents.length === 0) return { written: after, entries: [] };
  const entries = newEntries(after.ref, after.ledger, after.ledgerEvents);
  return { written: { ...after, ledger: headAfter(after.ledger, entries), ledgerEvents: [] }, entries };
}

interface Swap {
  before: Stored;
  after: Execution;
  entries: Entry[];
  text: string;
  writeId: string;
}

function swapCall(
  { local, retentionMs, headStartMs, auditDays, entryKeys }: Storing,
  { before, after, entries, text, writeId }: Swap,
) {
  const { ref } = after;
  const { record, due, activity } = recordKeys(ref);
  const indexed = indexChanges(before.execution, after);
  const claimableFrom = headStartMs > 0 ? before.now + headStartMs : 0;
  const dueTime = dueAtOf(after, { now: before.now, soonEnough: claimableFrom });
  const claimableAt = dueTime === null ? '' : Math.max(dueTime, claimableFrom);
  const liveMs = lifetime(before.execution, after, retentionMs);
  return {
    keys: [record, due, activity, ...appendKeys(ref), ...indexed.map(({ key }) => key)],
    args: [
      before.writes,
      writeId,
      text,
      claimableAt,
      ref,
      liveMs,
      before.now,
      local.processId,
      ...indexed.flatMap(({ member, score }) => [member, score ?? '']),
      ...appendArgs(entries, { auditDays, entryKeys }),
    ],
  };
}

/** A record that already expires keeps its time. */
function lifetime(before: Execution | null, after: Execution, retentionMs: number): number | '' | 'kept' {
  const expires = mayExpire(after);
  if (before && expires === mayExpire(before)) return 'kept';
  return expires ? retentionMs : '';
}

function hold(
  local: LocalState,
  ref: string,
  { text, writes, now, askedAt }: { text: string | null; writes: string; now: Millis; askedAt: number },
): Stored {
  local.records.drop(ref);
  if (text === null) return { execution: null, writes, now };
  const execution = readRecord(ref, text);
  keep(local, { execution, writes, askedAt, size: text.length });
  return { execution, writes, now };
}

/** Hardly anything follows on the end of a run. */
function keep({ records }: LocalState, record: HeldRecord): void {
  if (!mayExpire(record.execution)) records.put(record);
}

/** Short, since WAIT blocks everything else on this connection. */
const WAIT_MS = 1_000;

interface Replicated {
  recordKey: string;
  /** The write that the record must have; empty for any. */
  writeId: string;
  minReplicas: number;
  until: Deadline;
}

/**
 * Resolves when `minReplicas` replicas have the last change of a record, which must still be there: a failover may have lost it.
 * https://redis.io/docs/latest/commands/wait/
 * @throws {StoreUnavailable} if fewer have it in time
 */
export async function untilReplicated(
  redis: RedisClient,
  { recordKey, writeId, minReplicas, until }: Replicated,
): Promise<void> {
  if (minReplicas === 0) return;
  const replicas = await insist(redis, until, async () => {
    // WAIT covers only writes on its own connection, and a pipeline stays on one.
    const answers = await redis.pipeline().eval(WRITE_AGAIN, 1, recordKey, writeId).wait(minReplicas, WAIT_MS).exec();
    for (const [error] of answers ?? []) if (error) throw error;
    return answers?.[0]?.[1] === 1 ? answers[1]?.[1] : 0;
  });
  if (typeof replicas === 'number' && replicas >= minReplicas) return;
  throw new StoreUnavailable(`Only ${replicas} of ${minReplicas} replicas have the change.`);
}
