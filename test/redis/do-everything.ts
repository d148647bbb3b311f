import assert from 'node:assert/strict';
import { recordTask } from '../../src/core/execution/run.ts';
import { startExecution } from '../../src/core/execution/start.ts';
import { ok } from '../../src/core/values/result.ts';
import { createActivityLog } from '../../src/redis/activity.ts';
import { createAskThreads } from '../../src/redis/ask-threads.ts';
import { connectRedis } from '../../src/redis/connection.ts';
import { countStored } from '../../src/redis/counts.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { trimHistory } from '../../src/redis/indexes.ts';
import { decidedKey, endedKey, shardOf } from '../../src/redis/keys.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { createOverview } from '../../src/redis/overview/overview.ts';
import { createReplication } from '../../src/redis/replication.ts';

/** What a bot has of a Redis. */
export function openStores(url: string, { minReplicas = 0 }: { minReplicas?: number } = {}) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  return {
    redis,
    executions: createExecutionStore(redis, {
      retentionDays: 30,
      auditDays: 400,
      replication: createReplication(redis, { minReplicas }),
    }),
    queue: createDueQueue(redis),
    outputs: createOutputStore(redis, { retentionDays: 30 }),
    activity: createActivityLog(redis, { retentionDays: 30 }),
    askThreads: createAskThreads(redis, { retentionDays: 30 }),
  };
}

/** A hundred executions lie in nearly all shards. */
export const REFS = Array.from({ length: 100 }, (_, i) => `r${i}`);
export const task = { hop: 0, kickoffId: 'k1', name: 'draft', agent: null, summary: '', output: null };
const step = { at: 1, agent: null, thought: 'Hm', tool: null, toolInput: null, result: null };

const ASK = 'aaaabbbbccccddddeeeeffff22';

const start = { crew: 'research', channel: 'C1', by: { id: 'U_MARIA', name: 'Maria' }, inputs: {}, form: null };

/** Stores them all as just started, which is due at once. */
export async function createAll({ executions }: Pick<ReturnType<typeof openStores>, 'executions'>): Promise<void> {
  for (const ref of REFS) await executions.create(ref, (now) => startExecution({ ...start, ref }, now));
}

/** Everything that a bot does with Redis. Asserts without a test runner, since programs do it, too. */
export async function doEverything(stores: ReturnType<typeof openStores>): Promise<void> {
  const { redis, executions, queue, outputs, activity, askThreads } = stores;
  await createAll(stores);
  for (const ref of REFS.slice(0, 20)) {
    await executions.change(ref, (execution, now) => ok(recordTask(execution, task, now)));
    await executions.linkId('research', `k-${ref}`, ref);
    await activity.add(ref, step);
    const { hash } = await outputs.put(ref, 'a draft');
    assert.equal(await outputs.get(ref, hash), 'a draft');
    assert.deepEqual(await activity.latest(ref, 1), [step]);
    assert.equal(await executions.findById('research', `k-${ref}`), ref);
    const thread = { crew: 'research', thread: ref };
    await askThreads.join(thread, { ref: ASK, channel: 'C1', waitMs: 0 });
    assert.equal(await askThreads.begin(thread, { instead: null, ref: ASK }), ASK);
  }
  assert.equal((await executions.openIn('C1')).length, 100);
  assert.equal(await executions.unanswered('research'), 80);
  assert.deepEqual((await countStored(redis, [])).runs, { starting: 80, running: 20, waiting: 0 });
  assert.equal((await createOverview(redis).latest()).runs.length, 100);
  const { refs } = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  assert.deepEqual(refs.sort(), [...REFS].sort());
  for (const ref of REFS) await queue.release(ref);
  await executions.change('r1', (execution, now) => ok({ ...execution, run: { status: 'lost', lostAt: now } }));
  await trimHistory(redis);
  assert.equal(await redis.zcard(decidedKey(shardOf('r1'))), 0);
  assert.equal(await redis.zcard(endedKey(shardOf('r1'))), 1);
  for (const ref of REFS) await executions.remove(ref, () => true);
  const { isComplete: _, ...rest } = await queue.claim(1000, { leaseMs: 30_000, aheadMs: 0 });
  assert.deepEqual(rest, { refs: [], upcoming: [], moreInMs: null });
}
