import { type Execution, timeOfChange } from '../../core/execution/execution.ts';
import type { ExecutionStore } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import { answerDeadline, type Deadline, type RedisClient, runScript } from '../connection/call.ts';
import { recordKeys } from '../keys.ts';
import type { LedgerOptions } from '../ledger/entries.ts';
import { createLocalState, type LocalState } from '../local/local-state.ts';
import { ChangeBatches } from './change-batches.ts';
import { indexesOf } from './indexes.ts';
import { findById, followLinks, linkId } from './links.ts';
import { countUnanswered, openIn, refsRefused, refsWithPending } from './lists.ts';
import { untilReplicated } from './replicas.ts';
import { daysInMs } from './retention.ts';
import { REMOVE } from './scripts.ts';
import { type Storing, storeBatch } from './store-batch.ts';
import { heldRecord, loadRecord, swapRecord } from './stored-record.ts';

interface ExecutionStoreOptions extends Pick<LedgerOptions, 'auditDays'> {
  /** Without any, what is written to the ledger never gets sealed. Default: none. */
  entryKeys?: LedgerOptions['entryKeys'];
  /** How long an execution is kept after it ended, or after nothing more is expected of it. */
  retentionDays: number;
  /** The number of replicas that must have a change before it counts. */
  minReplicas: number;
  /**
   * How long a changed execution is left to the process that changed it, whose own worker is woken at once. Default: 0.
   * Other workers would only do the same thing at the same time; they step in if it doesn't.
   */
  headStartMs?: number;
  /** Shared with the due queue of this process. */
  local?: LocalState;
}

/**
 * Executions in Redis. Each is one record that changes together with its due time and index entries in one script. Loading
 * throws `UnreadableRecord` for a record that this version can't work with.
 */
export function createExecutionStore(redis: RedisClient, options: ExecutionStoreOptions): ExecutionStore {
  const { retentionDays, auditDays, minReplicas } = options;
  const { entryKeys = [], headStartMs = 0, local = createLocalState() } = options;
  const retentionMs = daysInMs(retentionDays);
  const storing = { redis, local, retentionMs, auditDays, entryKeys, headStartMs };
  const replicated = (ref: string, writeId: string, until: Deadline) =>
    untilReplicated(redis, { recordKey: recordKeys(ref).record, writeId, minReplicas, until });

  const batches = new ChangeBatches(async (ref, batch) => {
    const until = answerDeadline();
    try {
      const { tells, writeId } = await storeBatch(storing, { ref, batch, until });
      // Unchanged may mean that an earlier try wrote it and then failed for lack of replicas.
      await replicated(ref, writeId, until);
      for (const tell of tells) tell();
    } catch (error) {
      local.unsureWrites.add(ref);
      for (const { fail } of batch) fail(error);
    }
  });

  return {
    change: (ref, transition) => batches.change(ref, transition),

    async create(ref, make) {
      const until = answerDeadline();
      try {
        const { outcome, writeId } = await create(storing, { ref, make, until });
        await replicated(ref, writeId, until);
        return outcome;
      } catch (error) {
        local.unsureWrites.add(ref);
        throw error;
      }
    },

    async load(ref, { mostAgeMs = 0 } = {}) {
      const held = mostAgeMs > 0 ? heldRecord(local, ref, mostAgeMs) : null;
      const { execution, now } = held ?? (await loadRecord(redis, local, ref, answerDeadline()));
      return execution && { execution, now: timeOfChange(execution, now) };
    },

    remove: (ref, allowed) => remove(redis, local, ref, allowed),
    openIn: (channel) => openIn(redis, local, channel),
    withPending: () => refsWithPending(redis),
    refusedIn: (channel) => refsRefused(redis, channel),
    unanswered: (crew) => countUnanswered(redis, crew),
    linkId: (crew, id, ref) => linkId(redis, local.links, { crew, id, ref, retentionMs }),
    findById: (crew, id) => findById(redis, crew, id, answerDeadline()),
  };
}

async function create(
  { redis, local, ...lifetimes }: Storing,
  { ref, make, until }: { ref: string; make: (now: Millis) => Execution; until: Deadline },
): Promise<{ outcome: 'created' | 'exists'; writeId: string }> {
  const known = local.clock.now();
  const before =
    known === null ? await loadRecord(redis, local, ref, until) : { execution: null, writes: '', now: known };
  if (before.execution) return { outcome: 'exists', writeId: '' };
  for (let { now } = before; ; ) {
    const made = { before: { ...before, now }, after: make(now), until, ...lifetimes };
    const swapped = await swapRecord(redis, local, made);
    if (swapped.kind === 'written') return { outcome: 'created', writeId: swapped.writeId };
    if (swapped.kind !== 'wrong-time') return { outcome: 'exists', writeId: '' };
    now = swapped.now;
  }
}

async function remove(
  redis: RedisClient,
  local: LocalState,
  ref: string,
  allowed: (execution: Execution) => boolean,
): Promise<'removed' | 'kept'> {
  const until = answerDeadline();
  const { execution, writes } = await loadRecord(redis, local, ref, until);
  if (!execution) return 'removed';
  if (!allowed(execution)) return 'kept';
  local.records.drop(ref);
  const { record, due, outputs, activity, links } = recordKeys(ref);
  const entries = indexesOf(execution);
  const [outcome, linked] = await runScript(redis, REMOVE, {
    keys: [record, due, outputs, activity, links, ...entries.map(({ key }) => key)],
    args: [writes, ref, ...entries.map(({ member }) => member)],
    until,
  });
  await followLinks(redis, linked, { ref, liveMs: 0, until });
  return outcome;
}
