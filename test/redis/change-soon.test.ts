import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { claimPoll } from '../../src/core/execution/tracking.ts';
import type { ExecutionStore } from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { ok } from '../../src/core/values/result.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { eventually, redisForTests, started } from './store-under-test.ts';

// Changes that may be made again after a crash: what Slack answered to an update, and that a run was polled.

const { server, redis, another } = redisForTests();
const options = { retentionDays: 30, auditDays: 400, replication: null };

/** A run that its process polls in a while, about which nothing else is due. */
async function polledRun({ pollMs = 10, headStartMs = 300 } = {}) {
  const local = createLocalState();
  const store = createExecutionStore(redis(), { ...options, local, headStartMs });
  await store.create('r1', (now) =>
    started('r1', now, {
      ...{ kickoff: { status: 'settled' }, run: { status: 'running' }, root: { status: 'gone', ts: null } },
      poll: { nextAt: now + pollMs, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null },
    }),
  );
  await pause(pollMs + 5);
  return { store, local };
}

const poll = (execution: Execution, now: number) => ok(claimPoll(execution, now));
const IN_MEMORY = { mostAgeMs: Number.POSITIVE_INFINITY };
const LATE_MS = 60_000;
const nameHop = (hop: number) => (execution: Execution) => ok({ ...execution, hop });
const otherProcess = () => createExecutionStore(another(), options);
const pollsOf = async (store: ExecutionStore, load = {}) => (await store.load('r1', load))?.execution.poll.count;
const writesOf = async () => redis().hget(recordKeys('r1').record, 'writes');

describe('a change that can be made again', () => {
  it('counts in its process at once, and writes nothing', async () => {
    const { store } = await polledRun();
    const writes = await writesOf();
    const polled = await store.changeSoon('r1', poll, LATE_MS);
    if (polled.kind !== 'changed') throw new Error('It is due.');
    expect(polled.after.poll.count).toBe(1);
    expect((await store.load('r1', IN_MEMORY))?.execution).toBe(polled.after);
    expect(await pollsOf(store)).toBe(1);
    expect(await writesOf()).toBe(writes);
    expect(await pollsOf(otherProcess())).toBe(0);
    expect(await store.changeSoon('r1', poll, LATE_MS)).toMatchObject({ kind: 'unchanged' });
  });

  it('is stored with the next change, in one write', async () => {
    const { store } = await polledRun();
    const writes = await writesOf();
    await store.changeSoon('r1', poll, LATE_MS);
    const changed = await store.change('r1', nameHop(7));
    expect(changed).toMatchObject({ kind: 'changed', before: { poll: { count: 1 } } });
    expect((await otherProcess().load('r1'))?.execution).toMatchObject({ hop: 7, poll: { count: 1 } });
    expect((await writesOf())?.length).toBe((writes?.length ?? 0) * 2);
  });

  it('is stored before another process may act on the state before it', async () => {
    const { store } = await polledRun({ headStartMs: 0 });
    await store.changeSoon('r1', poll, LATE_MS);
    expect(await pollsOf(otherProcess())).toBe(1);
  });

  it('is stored by itself where no other change follows', async () => {
    const { store, local } = await polledRun();
    const [record] = [...local.records.values()];
    // The other processes may act in a little more than a second.
    if (record) local.records.set('r1', { ...record, claimableAt: (local.clock.now() ?? 0) + 1_100 });
    await store.changeSoon('r1', poll, LATE_MS);
    expect(await pollsOf(otherProcess())).toBe(0);
    await eventually(async () => (await pollsOf(otherProcess())) === 1);
  });

  it('is stored when its process stops, and every later one at once', async () => {
    const { store } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    await store.storeAll();
    expect(await pollsOf(otherProcess())).toBe(1);
    await store.changeSoon('r1', nameHop(4), LATE_MS);
    expect((await otherProcess().load('r1'))?.execution.hop).toBe(4);
  });

  it('is stored as soon as one of them has to be', async () => {
    const { store } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    await store.changeSoon('r1', nameHop(4), 50);
    await eventually(async () => (await otherProcess().load('r1'))?.execution.hop === 4);
    expect(await pollsOf(otherProcess())).toBe(1);
  });

  it('that can’t be stored at all doesn’t stop others', async () => {
    const { store, local } = await polledRun();
    await store.changeSoon('r1', (execution) => ok({ ...execution, createdAt: Number.NaN }), LATE_MS);
    await store.storeAll();
    expect(local.unstored.size).toBe(0);
    await store.change('r1', nameHop(4));
    expect((await otherProcess().load('r1'))?.execution.hop).toBe(4);
  });

  it('is made to what another process has stored meanwhile', async () => {
    const { store } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    await otherProcess().change('r1', nameHop(7));
    expect((await store.load('r1'))?.execution).toMatchObject({ hop: 7, poll: { count: 1 } });
    await store.storeAll();
    expect((await otherProcess().load('r1'))?.execution).toMatchObject({ hop: 7, poll: { count: 1 } });
  });

  it('still counts in its process while Redis is away, and is stored afterwards', async () => {
    const { store, local } = await polledRun();
    await store.changeSoon('r1', poll, 50);
    server().pause();
    // Longer than the store waits for an answer.
    await pause(4_000);
    expect(local.unstored.size).toBe(1);
    server().resume();
    await eventually(async () => (await pollsOf(otherProcess())) === 1);
    expect(await pollsOf(store, IN_MEMORY)).toBe(1);
  });

  it('is undone by a crash, after which another process makes it', async () => {
    const { store } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    const next = otherProcess();
    await next.changeSoon('r1', poll, LATE_MS);
    expect(await pollsOf(otherProcess())).toBe(1);
  });

  it('is stored at once if its process has claimed the run from the queue', async () => {
    const { store, local } = await polledRun();
    await redis().zadd(recordKeys('r1').due, 0, 'r1');
    expect((await createDueQueue(redis(), local).claim(1, { leaseMs: 60_000, aheadMs: 0 })).refs).toEqual(['r1']);
    await store.changeSoon('r1', poll, LATE_MS);
    expect(await pollsOf(otherProcess())).toBe(1);
  });

  it('is stored once, although others follow while it is being stored', async () => {
    const { store } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    const stored = store.storeAll();
    await store.changeSoon('r1', nameHop(3), LATE_MS);
    await stored;
    await store.changeSoon('r1', nameHop(4), LATE_MS);
    await store.storeAll();
    expect((await otherProcess().load('r1'))?.execution).toMatchObject({ hop: 4, poll: { count: 1 } });
  });

  it('leaves nothing to store of an execution that was removed', async () => {
    const { store, local } = await polledRun();
    await store.changeSoon('r1', poll, LATE_MS);
    await store.remove('r1', () => true);
    await store.storeAll();
    expect(await store.load('r1')).toBeNull();
    expect(local.unstored.size).toBe(0);
  });
});
