import type { Execution } from '../../core/execution/execution.ts';
import { type Entry, headAfter, type LedgerHead, newEntries } from '../../core/ledger/entry.ts';
import type { Millis } from '../../core/time.ts';
import { type Deadline, type RedisClient, runScript } from '../connection/call.ts';
import { recordKeys } from '../keys.ts';
import { readHead } from '../ledger/chain.ts';
import { appendArgs, appendKeys, type LedgerOptions } from '../ledger/entries.ts';
import type { HeldRecord } from '../local/held-records.ts';
import type { LocalState } from '../local/local-state.ts';
import { indexChanges } from './indexes.ts';
import { followLinks } from './links.ts';
import { dueAtOf, readRecord, writeRecord } from './record.ts';
import { mayExpire } from './retention.ts';
import { LOAD, SWAP } from './scripts.ts';

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

/**
 * Replaces what was loaded, together with due time, indexes and lifetime, unless it has changed since, or the change was made
 * for another time. A retry after a lost answer finds its own write id and succeeds.
 * @throws {StoreUnavailable} then nobody knows whether it was written
 */
export async function swapRecord(
  redis: RedisClient,
  local: LocalState,
  { before, after, ...options }: { before: Stored; after: Execution } & SwapOptions,
): Promise<Swapped> {
  const { ref } = after;
  const { written, entries } = withEntries(after);
  const text = writeRecord(written);
  const askedAt = performance.now();
  // What was stored is unknown until there is an answer.
  local.records.drop(ref);
  const writeId = local.newWriteId();
  const call = swapCall({
    before,
    after: written,
    entries,
    text,
    processId: local.processId,
    writeId,
    ...options,
  });
  const [outcome, now, writes, stored, followers, leftMs] = await runScript(redis, SWAP, call);
  local.clock.learn(now, askedAt);
  switch (outcome) {
    case 'written':
      if (writes !== null) keep(local, { execution: written, writes, askedAt, size: text.length });
      local.leased.delete(ref);
      await followLinks(redis, followers, { ref, liveMs: leftMs < 0 ? '' : leftMs, until: options.until });
      return { kind: 'written', writeId };
    case 'conflict':
      return { kind: 'conflict', stored: hold(local, ref, { text: stored, writes: writes ?? '', now, askedAt }) };
    case 'wrong time':
      return { kind: 'wrong-time', now };
    case 'wrong chain': {
      const { policy: _, ...head } = await readHead(redis, ref, options.until);
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

interface SwapOptions extends LedgerOptions {
  retentionMs: number;
  headStartMs: number;
  until: Deadline;
}

function swapCall({
  before,
  after,
  entries: newEntries,
  text,
  processId,
  writeId,
  retentionMs,
  auditDays,
  entryKeys,
  headStartMs,
  until,
}: {
  before: Stored;
  after: Execution;
  entries: Entry[];
  text: string;
  processId: string;
  writeId: string;
} & SwapOptions) {
  const { ref } = after;
  const { record, due, outputs, activity, links } = recordKeys(ref);
  const entries = indexChanges(before.execution, after);
  const claimableFrom = headStartMs > 0 ? before.now + headStartMs : 0;
  const dueTime = dueAtOf(after, { now: before.now, soonEnough: claimableFrom });
  const claimableAt = dueTime === null ? '' : Math.max(dueTime, claimableFrom);
  const places = entries.flatMap(({ member, score }) => [member, score ?? '']);
  const liveMs = lifetime(before.execution, after, retentionMs);
  return {
    keys: [record, due, outputs, activity, links, ...appendKeys(ref), ...entries.map(({ key }) => key)],
    args: [
      ...[before.writes, writeId, text, claimableAt, ref, liveMs, before.now, processId, ...places],
      ...appendArgs(newEntries, { auditDays, entryKeys }),
    ],
    until,
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
