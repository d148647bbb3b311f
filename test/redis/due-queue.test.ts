import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { RECORD_VERSION } from '../../src/core/state/execution.ts';
import { ok } from '../../src/core/values/result.ts';
import { CLUSTER_RETRY_MS } from '../../src/redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys, SHARDS, shardOf } from '../../src/redis/keys.ts';
import { changed } from '../support/executions.ts';
import { startRedisInterceptor } from './redis-interceptor.ts';
import { eventually, redisForTests, started } from './store-under-test.ts';

const { server, redis, another } = redisForTests();
const LEASE_MS = 30_000;
const AHEAD_MS = 10_000;

const storeOf = () => createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });

async function create(...refs: string[]) {
  const store = storeOf();
  await Promise.all(refs.map((ref) => store.create(ref, (now) => started(ref, now))));
  return store;
}

const manyRefs = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);
const placed = manyRefs(5_000).map((ref) => ({ ref, shard: shardOf(ref) }));
const refsOfShard = (shard: string, count: number) =>
  placed
    .filter((each) => each.shard === shard)
    .map(({ ref }) => ref)
    .slice(0, count);

describe('what is due', () => {
  it('is nothing at first', async () => {
    expect(await createDueQueue(redis()).claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).toEqual({
      refs: [],
      upcoming: [],
      moreInMs: null,
      isComplete: true,
    });
  });

  it('is claimed once by any number of processes', async () => {
    await create(...manyRefs(200));
    const clients = Array.from({ length: 4 }, another);
    await Promise.all(clients.map(pingRedis));
    const queues = clients.map((client) => createDueQueue(client));
    const claims = await Promise.all(queues.map((queue) => queue.claim(100, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })));
    expect(claims.flatMap(({ refs }) => refs).sort()).toEqual(manyRefs(200).sort());
  });

  it('is known for sure, however slowly one server answers', async () => {
    const queue = createDueQueue(redis());
    server().pause();
    const claim = queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    await pause(2 * CLUSTER_RETRY_MS);
    server().resume();
    expect((await claim).isComplete).toBe(true);
  });

  it('is left to the process that changed it at first', async () => {
    const store = createExecutionStore(redis(), {
      retentionDays: 30,
      auditDays: 400,
      replication: null,
      headStartMs: 300,
    });
    await store.create('r1', (now) => started('r1', now));
    const queue = createDueQueue(redis());
    const { refs, upcoming } = await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    expect(refs).toEqual([]);
    expect(upcoming).toEqual([{ ref: 'r1', inMs: expect.any(Number) }]);
    expect(upcoming[0]?.inMs).toBeLessThanOrEqual(300);
    await eventually(async () => (await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs.includes('r1'));
  });

  it('is claimed again after its lease has run out', async () => {
    await create('r1');
    const queue = createDueQueue(redis());
    expect((await queue.claim(10, { leaseMs: 1_000, aheadMs: AHEAD_MS })).refs).toEqual(['r1']);
    expect((await queue.claim(10, { leaseMs: 1_000, aheadMs: AHEAD_MS })).refs).toEqual([]);
    await eventually(async () => (await queue.claim(10, { leaseMs: 1_000, aheadMs: AHEAD_MS })).refs.includes('r1'));
  });

  it('is never more than asked for, and the rest is reported as due now', async () => {
    await create(...manyRefs(50));
    const { refs, moreInMs } = await createDueQueue(redis()).claim(7, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    expect(refs).toHaveLength(7);
    expect(moreInMs).toBe(0);
  });

  it('is taken from one crowded shard up to the number asked for', async () => {
    const crowded = refsOfShard('07', 40);
    await create(...crowded, ...refsOfShard('08', 1));
    const { refs } = await createDueQueue(redis()).claim(30, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    expect(refs).toHaveLength(30);
    expect(refs).toContain(refsOfShard('08', 1)[0]);
  });

  it('is found in every shard', async () => {
    const refs = SHARDS.flatMap((shard) => refsOfShard(shard, 1));
    await create(...refs);
    expect((await createDueQueue(redis()).claim(1000, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs.sort()).toEqual(
      refs.sort(),
    );
  });

  it('reports what is due next, and in how long', async () => {
    const store = await create('r1');
    await store.change('r1', (execution, now) =>
      ok(
        changed(execution, {
          kickoff: { status: 'due', tries: 1, delayedBy: null, notBefore: now + 5_000 },
          root: { status: 'gone', ts: null },
        }),
      ),
    );
    const { refs, upcoming, moreInMs } = await createDueQueue(redis()).claim(10, {
      leaseMs: LEASE_MS,
      aheadMs: 10_000,
    });
    expect(refs).toEqual([]);
    expect(upcoming).toEqual([{ ref: 'r1', inMs: expect.any(Number) }]);
    expect(upcoming[0]?.inMs).toBeGreaterThan(4_000);
    expect(upcoming[0]?.inMs).toBeLessThanOrEqual(5_000);
    expect(moreInMs).toBeNull();
  });
});

describe('a claim whose answer is lost', () => {
  const ALL = { leaseMs: LEASE_MS, aheadMs: AHEAD_MS };

  /** A queue whose first claim is carried out, but not answered. */
  async function queueThatMisses() {
    let isFirst = true;
    const proxy = await startRedisInterceptor(server().port, {
      isLost: (request) => {
        const isLost = isFirst && request.includes(':due');
        if (isLost) isFirst = false;
        return isLost;
      },
    });
    const client = connectRedis(proxy.url, { onTrouble: () => {} });
    await pingRedis(client);
    const queue = createDueQueue(client);
    await expect(queue.claim(10, ALL)).rejects.toThrow(StoreUnavailable);
    await pingRedis(client);
    return {
      queue,
      close: async () => {
        await closeRedis(client);
        proxy.close();
      },
    };
  }

  it('is told by the next claim of the same process, and keeps it from all others', async () => {
    await create('r1', 'r2');
    const { queue, close } = await queueThatMisses();
    expect((await createDueQueue(redis()).claim(10, ALL)).refs).toEqual([]);
    expect((await queue.claim(10, ALL)).refs.sort()).toEqual(['r1', 'r2']);
    expect((await queue.claim(10, ALL)).refs).toEqual([]);
    await queue.release('r1');
    expect((await createDueQueue(redis()).claim(10, ALL)).refs).toEqual(['r1']);
    await close();
  });

  it('is not told once the execution has changed or was claimed by another process', async () => {
    const store = await create('changed', 'claimed', 'left');
    const { queue, close } = await queueThatMisses();
    const later = { status: 'due', tries: 1, delayedBy: null, notBefore: Date.now() + 5_000 } as const;
    await store.change('changed', (execution) =>
      ok(changed(execution, { kickoff: later, root: { status: 'gone', ts: null } })),
    );
    await redis().zadd(recordKeys('claimed').due, 1, 'claimed');
    expect((await createDueQueue(redis()).claim(10, ALL)).refs).toEqual(['claimed']);
    expect((await queue.claim(10, ALL)).refs).toEqual(['left']);
    await close();
  });
});

describe('a released execution', () => {
  it('is due again when its state says so', async () => {
    await create('r1');
    const queue = createDueQueue(redis());
    await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    await queue.release('r1');
    expect((await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs).toEqual(['r1']);
  });

  it('keeps the due time of a change that came in between', async () => {
    const store = await create('r1');
    const later = { status: 'due', tries: 1, delayedBy: null, notBefore: 4e12 } as const;
    let isReleased = false;
    const proxy = await startRedisInterceptor(server().port, {
      before: async (request) => {
        if (!isReleased || !request.includes(recordKeys('r1').due)) return;
        await store.change('r1', (execution) =>
          ok(changed(execution, { kickoff: later, root: { status: 'gone', ts: null } })),
        );
      },
    });
    const slow = connectRedis(proxy.url, { onTrouble: () => {} });
    const queue = createDueQueue(slow);
    await pingRedis(slow);
    await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS });
    isReleased = true;
    await queue.release('r1');
    await closeRedis(slow);
    proxy.close();
    expect(await redis().zscore(recordKeys('r1').due, 'r1')).toBe('4000000000000');
  });

  it('leaves the queue if its record is gone', async () => {
    await create('r1');
    const queue = createDueQueue(redis());
    await redis().del(recordKeys('r1').record);
    expect((await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs).toEqual(['r1']);
    await queue.release('r1');
    expect(await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).toEqual({
      refs: [],
      upcoming: [],
      moreInMs: null,
      isComplete: true,
    });
  });

  it.each([
    ['was written by a newer version', (text: string) => text.replace(`"version":${RECORD_VERSION}`, '"version":999')],
    ['is not JSON', (text: string) => text.slice(1)],
    ['is broken deep inside', (text: string) => text.replace(/"root":\{[^}]*\}/, '"root":{}')],
  ])('stays out of the queue for a while if its record %s, and blocks no other', async (_, damage) => {
    const store = await create('bad', 'good');
    const { record } = recordKeys('bad');
    await redis().hset(record, 'record', damage((await redis().hget(record, 'record')) ?? ''));
    const queue = createDueQueue(redis());
    expect((await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs.sort()).toEqual(['bad', 'good']);
    await queue.release('bad');
    await queue.release('good');
    expect((await queue.claim(10, { leaseMs: LEASE_MS, aheadMs: AHEAD_MS })).refs).toEqual(['good']);
    expect(await store.openIn('C1')).not.toHaveLength(0);
  });
});
