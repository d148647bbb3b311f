import { expect, it } from 'vitest';
import { claimOf } from '../../src/core/claimed-calls.ts';
import { claimKickoff, settleKickoff } from '../../src/core/execution/start.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createCallClaims } from '../../src/worker/change.ts';
import { redisForTests, started } from '../redis/store-under-test.ts';

const { redis } = redisForTests();

const KICKOFF = { kind: 'kickoff' } as const;

/** A store with an execution to start, whose next change is stored, or not, without an answer. */
async function storeThatFails(outcome: 'stored' | 'lost') {
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
  await store.create('r1', (now) => started('r1', now));
  let failures = 1;
  const change: typeof store.change = async (ref, transition) => {
    if (failures-- <= 0) return store.change(ref, transition);
    if (outcome === 'stored') await store.change(ref, transition);
    else transition(started(ref, Date.now()), Date.now());
    throw new StoreUnavailable('no answer');
  };
  const load = async () => {
    const found = await store.load('r1');
    if (!found) throw new Error('it is gone');
    return found.execution;
  };
  return { store: { ...store, change }, load };
}

it.each(['stored', 'lost'] as const)('a call is made although its claim was %s without an answer', async (outcome) => {
  const { store, load } = await storeThatFails(outcome);
  const { claimCall, unmadeCalls } = createCallClaims(store, 'p1');
  await expect(claimCall('r1', KICKOFF, claimKickoff)).rejects.toThrow(StoreUnavailable);
  expect(unmadeCalls(await load())).toEqual(outcome === 'stored' ? [KICKOFF] : []);

  const claimed = await claimCall('r1', KICKOFF, claimKickoff);
  expect(claimed && claimOf(claimed.execution, KICKOFF)).toEqual({ call: KICKOFF, attempt: 1, by: 'p1' });
  expect(unmadeCalls(await load())).toEqual([]);
  expect(await claimCall('r1', KICKOFF, claimKickoff)).toBeNull();
});

it('another process leaves such a claim alone', async () => {
  const { store, load } = await storeThatFails('stored');
  const [one, other] = [createCallClaims(store, 'p1'), createCallClaims(store, 'p2')];
  await expect(one.claimCall('r1', KICKOFF, claimKickoff)).rejects.toThrow(StoreUnavailable);
  expect(other.unmadeCalls(await load())).toEqual([]);
  expect(await other.claimCall('r1', KICKOFF, claimKickoff)).toBeNull();
});

it('a call that was made is not made again when a later claim of it gets no answer', async () => {
  const { store, load } = await storeThatFails('stored');
  const { claimCall, unmadeCalls } = createCallClaims(store, 'p1');
  await expect(claimCall('r1', KICKOFF, claimKickoff)).rejects.toThrow(StoreUnavailable);
  const postponed = { kind: 'unavailable', reason: 'busy', waitMs: 0 } as const;
  await store.change('r1', (execution, now) => ok(settleKickoff(execution, postponed, now)));
  await store.change('r1', (execution, now) => ok(claimKickoff(execution, 'p1', now)));
  expect((await load()).kickoff).toMatchObject({ status: 'sending', tries: 2 });
  expect(unmadeCalls(await load())).toEqual([]);
  expect(await claimCall('r1', KICKOFF, claimKickoff)).toBeNull();
});
