import type { Execution } from '../../core/execution/execution.ts';
import type { Changed, ExecutionStore, Transition } from '../../core/ports.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { answerDeadline, insist, type RedisClient, runScript } from '../connection/call.ts';
import { openKey, recordKeys, SHARDS, shardOf, unansweredKey } from '../keys.ts';
import { indexesOf } from './indexes.ts';
import { findById, followLinks, linkId } from './links.ts';
import { UnreadableRecord } from './record.ts';
import { untilReplicated } from './replicas.ts';
import { daysInMs } from './retention.ts';
import { LEAVE_IF_ABSENT, REMOVE } from './scripts.ts';
import { loadRecord, swapRecord } from './stored-record.ts';

/** How often a change is retried on conflict. Of any number of competing changes, one wins each time. */
const MOST_TRIES = 200;

interface ExecutionStoreOptions {
  /** How long an execution is kept after it ended, or after nothing more is expected of it. */
  retentionDays: number;
  /** The number of replicas that must have a change before it counts. */
  minReplicas: number;
  /**
   * How long a changed execution is left to the process that changed it, whose own worker is woken at once. Default: 0.
   * Other workers would only do the same thing at the same time; they step in if it doesn't.
   */
  headStartMs?: number;
}

/**
 * Executions in Redis. Each is one record that changes together with its due time and index entries in one script.
 * Loading throws `UnreadableRecord` for a record that this version can't work with.
 */
export function createExecutionStore(redis: RedisClient, options: ExecutionStoreOptions): ExecutionStore {
  const retentionMs = daysInMs(options.retentionDays);
  const { minReplicas, headStartMs = 0 } = options;

  async function change<Refusal>(ref: string, transition: Transition<Refusal>): Promise<Changed<Refusal>> {
    const until = answerDeadline();
    const replicated = () => untilReplicated(redis, { recordKey: recordKeys(ref).record, minReplicas, until });
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const stored = await loadRecord(redis, ref, until);
      const { execution: before, now } = stored;
      if (!before) return { kind: 'absent' };
      const result = transition(before, now);
      if (!result.ok) return { kind: 'refused', refusal: result.refusal, execution: before };
      const after = result.value;
      if (
        after !== before &&
        (await swapRecord(redis, stored, after, { retentionMs, headStartMs, until })) === 'conflict'
      )
        continue;
      // Unchanged may mean that an earlier try wrote it and then failed for lack of replicas.
      await replicated();
      return after === before ? { kind: 'unchanged', execution: before } : { kind: 'changed', before, after };
    }
    throw new StoreUnavailable(`Execution ${ref} was changed at the same moment too often.`);
  }

  return {
    change,

    async create(ref, make) {
      const until = answerDeadline();
      const stored = await loadRecord(redis, ref, until);
      const isNew = !stored.execution;
      const written =
        isNew && (await swapRecord(redis, stored, make(stored.now), { retentionMs, headStartMs, until })) === 'written';
      await untilReplicated(redis, { recordKey: recordKeys(ref).record, minReplicas, until });
      return written ? 'created' : 'exists';
    },

    async load(ref) {
      const { execution, now } = await loadRecord(redis, ref, answerDeadline());
      return execution && { execution, now };
    },

    remove: (ref, allowed) => remove(redis, ref, allowed),
    openIn: (channel) => openIn(redis, channel),

    async unanswered(crew) {
      const until = answerDeadline();
      const counts = await Promise.all(
        SHARDS.map((shard) =>
          insist(redis, until, () => redis.zrange(unansweredKey(shard, crew), '0', '-1', 'WITHSCORES')),
        ),
      );
      return counts.flatMap(scoresOf).reduce((sum, score) => sum + score, 0);
    },

    linkId: (crew, id, ref) => linkId(redis, { crew, id, ref, retentionMs }),
    findById: (crew, id) => findById(redis, crew, id, answerDeadline()),
  };
}

async function remove(
  redis: RedisClient,
  ref: string,
  allowed: (execution: Execution) => boolean,
): Promise<'removed' | 'kept'> {
  const until = answerDeadline();
  const { execution, writes } = await loadRecord(redis, ref, until);
  if (!execution) return 'removed';
  if (!allowed(execution)) return 'kept';
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

async function openIn(redis: RedisClient, channel: string): Promise<Execution[]> {
  const until = answerDeadline();
  const refs = await Promise.all(
    SHARDS.map((shard) => insist(redis, until, () => redis.zrange(openKey(shard, channel), '0', '-1'))),
  );
  const found = await Promise.all(refs.flat().map((ref) => loadListed(ref)));
  return found.filter((execution) => execution !== null).sort((a, b) => b.createdAt - a.createdAt);

  async function loadListed(ref: string): Promise<Execution | null> {
    try {
      const { execution } = await loadRecord(redis, ref, until);
      if (!execution) await leave(ref);
      return execution;
    } catch (error) {
      // The worker reports it; a list of the others is more useful than none.
      if (error instanceof UnreadableRecord) return null;
      throw error;
    }
  }

  async function leave(ref: string): Promise<void> {
    const keys = [recordKeys(ref).record, openKey(shardOf(ref), channel)];
    await runScript(redis, LEAVE_IF_ABSENT, { keys, args: [ref], until });
  }
}

function scoresOf(membersWithScores: string[]): number[] {
  return membersWithScores.filter((_, i) => i % 2 === 1).map(Number);
}
