import { type Execution, timeOfChange } from '../../core/execution/execution.ts';
import { withExpiry } from '../../core/execution/missing-crew.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import type { Deadline, RedisClient } from '../connection/call.ts';
import type { LedgerOptions } from '../ledger/entries.ts';
import type { LocalState } from '../local/local-state.ts';
import { WRITE_ID_LENGTH } from '../local/write-ids.ts';
import type { WaitingChange } from './change-batches.ts';
import { mayExpire } from './retention.ts';
import { heldRecord, loadRecord, type Stored, swapRecord } from './stored-record.ts';

/** How often changes are tried again on conflict. Of any number of competing writes, one wins each time. */
const MOST_TRIES = 200;

export interface Storing extends LedgerOptions {
  redis: RedisClient;
  local: LocalState;
  retentionMs: number;
  headStartMs: number;
}

/**
 * Applies changes one after the other and stores the outcome in one write. Starts from the state that this process holds; if
 * that turns out to be old, all are tried again on the new one. Resolves to what tells each caller, and the write that they rest on.
 * @throws {StoreUnavailable} @throws {UnreadableRecord}
 */
export async function storeBatch(
  storing: Storing,
  { ref, batch, until }: { ref: string; batch: readonly WaitingChange[]; until: Deadline },
): Promise<{ tells: (() => void)[]; writeId: string }> {
  const { redis, local } = storing;
  const held = heldRecord(local, ref);
  let stored = held ?? (await loadRecord(redis, local, ref, until));
  let isCurrent = held === null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { after, tells } = applyAll(batch, stored);
    const written = after !== null && after !== stored.execution;
    // Nothing is refused or called unchanged on the strength of an old state.
    if (!written && isCurrent) return { tells, writeId: newestIn(stored.writes) };
    const next = written
      ? await write(storing, { before: stored, after, until })
      : await loadRecord(redis, local, ref, until);
    if ('writeId' in next) return { tells, writeId: next.writeId };
    if (!written && next.writes === stored.writes) return { tells, writeId: newestIn(stored.writes) };
    stored = next;
    isCurrent = true;
  }
  throw new StoreUnavailable(`Execution ${ref} was changed at the same moment too often.`);
}

/** Resolves to the state to try again on, unless it was written. */
async function write(
  { redis, local, ...lifetimes }: Storing,
  { before, after: changed, until }: { before: Stored; after: Execution; until: Deadline },
): Promise<Stored | { writeId: string }> {
  const after = withExpiry(changed, mayExpire(changed) ? before.now + lifetimes.retentionMs : null);
  const swapped = await swapRecord(redis, local, { before, after, until, ...lifetimes });
  switch (swapped.kind) {
    case 'written':
      return { writeId: swapped.writeId };
    case 'conflict':
      return swapped.stored;
    case 'wrong-time':
      return { ...before, now: swapped.now };
    case 'wrong-chain':
      return { ...before, execution: before.execution && { ...before.execution, ledger: swapped.head } };
  }
}

/** The write ids stand newest first. */
function newestIn(writes: string): string {
  return writes.slice(0, WRITE_ID_LENGTH);
}

function applyAll(batch: readonly WaitingChange[], { execution, now }: Stored) {
  let after = execution;
  const tells = batch.map((change) => {
    const attempt = change.attempt(after, after === null ? now : timeOfChange(after, now));
    after = attempt.after;
    return attempt.tell;
  });
  return { after, tells };
}
