import { expect, it } from 'vitest';
import { settleKickoff } from '../../src/core/execution/start.ts';
import type { ExecutionStore } from '../../src/core/ports.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { claimResume, settleResume } from '../../src/core/request/resume.ts';
import { ok } from '../../src/core/values/result.ts';
import { countStored } from '../../src/redis/counts.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { PROCESS } from '../support/claims.ts';
import { request } from '../support/executions.ts';
import { MARIA, permittedTo, RULES, textOf } from '../support/requests.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis } = redisForTests();

const HOUR_MS = 3_600_000;
const AGES_MS = [0, HOUR_MS, 24 * HOUR_MS];
const output = { hash: 'h', length: 1 };

const counts = () => countStored(redis(), AGES_MS);
const storeOf = () => createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });

/** A run that asked for input some time ago, by Redis' clock. */
async function asking(store: ExecutionStore, ref: string, agoMs = 0): Promise<void> {
  await store.create(ref, (now) => started(ref, now));
  await store.change(ref, (each, now) => ok(settleKickoff(each, { kind: 'accepted', kickoffId: `k-${ref}` }, now)));
  const asked = request({ kickoffId: `k-${ref}`, executionId: ref, taskId: 't', taskName: null, output });
  await store.change(ref, (each, now) => ask(each, asked, now - agoMs, RULES));
}

async function decided(store: ExecutionStore, ref: string): Promise<void> {
  const choice = { verdict: 'approve', feedback: null, text: 'Yes' } as const;
  await store.change(ref, (each, now) =>
    decide(each, '1', { choice, ...permittedTo(MARIA), ...textOf(each, '1') }, now),
  );
}

it('counts nothing in an empty store', async () => {
  expect(await counts()).toEqual({
    runs: { starting: 0, running: 0, waiting: 0 },
    pendingOver: [0, 0, 0],
    oldestPendingMs: 0,
    undelivered: { refused: 0, 'not-confirmed': 0 },
    overdue: 0,
    dueLagMs: 0,
  });
});

it('counts runs by status', async () => {
  const store = storeOf();
  await store.create('new', (now) => started('new', now));
  await asking(store, 'asks');
  await asking(store, 'decided');
  await decided(store, 'decided');
  expect((await counts()).runs).toEqual({ starting: 1, running: 0, waiting: 2 });
});

it('counts approvals by age until they are decided', async () => {
  const store = storeOf();
  await asking(store, 'fresh');
  await asking(store, 'old', 2 * HOUR_MS);
  await asking(store, 'forgotten', 48 * HOUR_MS);
  const before = await counts();
  expect(before.pendingOver).toEqual([3, 2, 1]);
  expect(before.oldestPendingMs).toBeGreaterThanOrEqual(48 * HOUR_MS);
  await decided(store, 'forgotten');
  const after = await counts();
  expect(after.pendingOver).toEqual([2, 1, 0]);
  expect(after.oldestPendingMs).toBeLessThan(3 * HOUR_MS);
});

it('counts decisions that can be sent again', async () => {
  const store = storeOf();
  await asking(store, 'r1');
  await decided(store, 'r1');
  await store.change('r1', (each, now) => ok(claimResume(each, '1', PROCESS, now)));
  const failure = { kind: 'refused', code: 'quota', status: 402, detail: '' } as const;
  const settled = { approvalId: '1', attempt: 1, answer: { kind: 'refused', failure } } as const;
  await store.change('r1', (each, now) => ok(settleResume(each, settled, now)));
  expect((await counts()).undelivered).toEqual({ refused: 1, 'not-confirmed': 0 });
});

it('reports how late the work is', async () => {
  const store = storeOf();
  await store.create('late', (now) => started('late', now - 5_000));
  const { overdue, dueLagMs } = await counts();
  expect(overdue).toBe(1);
  expect(dueLagMs).toBeGreaterThanOrEqual(5_000);
});

it('forgets what was removed', async () => {
  const store = storeOf();
  await asking(store, 'r1');
  await store.remove('r1', () => true);
  expect((await redis().keys('*')).filter((key) => !/:ledger|:writes:/.test(key))).toEqual([]);
});

it('takes as many steps for two thousand approvals as for one', async () => {
  const store = storeOf();
  await asking(store, 'first');
  const forOne = await stepsOf(counts);
  for (let hundred = 0; hundred < 20; hundred++)
    await Promise.all(Array.from({ length: 100 }, (_, i) => asking(store, `r${hundred}-${i}`)));
  expect((await counts()).pendingOver[0]).toBe(2_001);
  expect(await stepsOf(counts)).toBe(forOne);
});

/** How many commands Redis ran for this, including those in scripts. */
async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  await redis().call('CONFIG', 'RESETSTAT');
  await work();
  const stats = String(await redis().call('INFO', 'commandstats'));
  return [...stats.matchAll(/^cmdstat_(?!config).*?calls=(\d+)/gm)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
