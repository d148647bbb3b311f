import { expect, it } from 'vitest';
import { endRun } from '../../../src/core/execution/run.ts';
import { settleKickoff } from '../../../src/core/execution/start.ts';
import type { Snapshot } from '../../../src/core/inbox/snapshot.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { undo } from '../../../src/core/request/retract.ts';
import { ok } from '../../../src/core/values/result.ts';
import { createExecutionStore } from '../../../src/redis/executions.ts';
import { recordKeys, SHARDS } from '../../../src/redis/keys.ts';
import { createLocalState } from '../../../src/redis/local-state.ts';
import { createOverview } from '../../../src/redis/overview/overview.ts';
import { request } from '../../support/executions.ts';
import { MARIA, permittedTo, RULES, textOf } from '../../support/requests.ts';
import { redisForTests, started } from '../store-under-test.ts';

const { redis } = redisForTests();

/** A process of the bot; two of them know nothing of each other. */
function process({ reuseMs = 0 } = {}) {
  const local = createLocalState();
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null, local });
  const { latest } = createOverview(redis(), local, { reuseMs });

  async function asking(ref: string, change: { taskName?: string; channel?: string; agoMs?: number } = {}) {
    const { taskName = 'Draft', channel = 'C1', agoMs = 0 } = change;
    await store.create(ref, (now) => started(ref, now - agoMs, { channel }));
    await store.change(ref, (each, now) => ok(settleKickoff(each, { kind: 'accepted', kickoffId: `k-${ref}` }, now)));
    const asked = request({ kickoffId: `k-${ref}`, executionId: ref, taskId: 't', taskName });
    await store.change(ref, (each, now) => ask(each, asked, now - agoMs, RULES));
  }

  async function decided(ref: string, { undoMs = 0 }: { undoMs?: number } = {}) {
    const choice = { verdict: 'approve', feedback: null, text: 'Yes' } as const;
    const permission = permittedTo(MARIA);
    const policy = { ...permission.policy, undoMs };
    await store.change(ref, (each, now) =>
      decide(each, '1', { choice, ...permission, ...textOf(each, '1'), policy }, now),
    );
  }

  const ended = (ref: string) =>
    store.change(ref, (each, now) => ok(endRun(each, { status: 'completed', result: null, endedAt: now }, now)));
  return { store, latest, asking, decided, ended };
}

const refsOf = ({ requests }: Snapshot) => requests.map(({ run }) => run.ref);

it('shows open requests, the oldest first, and runs, the newest first', async () => {
  const { latest, asking, store } = process();
  await asking('new');
  await asking('old', { agoMs: 60_000, taskName: 'Publish', channel: 'C2' });
  await store.create('idle', (now) => started('idle', now + 1));
  const { requests, runs } = await latest();
  expect(requests.map(({ run, taskName }) => [run.ref, run.channel, taskName])).toEqual([
    ['old', 'C2', 'Publish'],
    ['new', 'C1', 'Draft'],
  ]);
  expect(runs.map(({ ref }) => ref)).toEqual(['idle', 'new', 'old']);
  expect(runs[0]).toMatchObject({ crew: 'research', starter: MARIA, state: 'starting', inputs: { topic: 'Redis' } });
});

it('is the same object as long as nothing has changed that it shows', async () => {
  const { latest, asking, store } = process();
  await asking('r1');
  const before = await latest();
  expect(await latest()).toBe(before);
  await store.change('r1', (each) => ok({ ...each, poll: { ...each.poll, count: 7 } }));
  expect(await latest()).toBe(before);
  await asking('r2');
  const after = await latest();
  expect(refsOf(after)).toEqual(['r1', 'r2']);
  expect(after.requests[0]).toBe(before.requests[0]);
});

it('shows what another process, or one before a restart, has stored', async () => {
  const [one, other] = [process(), process()];
  await one.asking('r1');
  expect(refsOf(await other.latest())).toEqual(['r1']);
  await one.decided('r1');
  expect(refsOf(await other.latest())).toEqual([]);
  const afterRestart = await process().latest();
  expect([afterRestart.requests, afterRestart.decisions]).toMatchObject([[], [{ ref: 'r1', by: [MARIA.id] }]]);
});

it('shows what was decided, with what the record says of it', async () => {
  const { latest, asking, decided, ended } = process();
  await asking('r1', { channel: 'C9' });
  await latest();
  await decided('r1');
  await ended('r1');
  const { decisions, ended: runs, requests } = await latest();
  expect(requests).toEqual([]);
  expect(runs).toMatchObject([{ ref: 'r1', startedBy: MARIA.id }]);
  expect(decisions).toMatchObject([
    {
      ref: 'r1',
      task: 'Draft',
      outcome: 'approve',
      record: { channel: 'C9', starter: MARIA, inputs: { topic: 'Redis' }, taskId: 't' },
    },
  ]);
});

it('forgets a decision that is undone', async () => {
  const [one, other] = [process(), process()];
  await one.asking('r1');
  await one.decided('r1', { undoMs: 60_000 });
  expect((await other.latest()).decisions).toHaveLength(1);
  await one.store.change('r1', (each, now) => undo(each, '1', { ...permittedTo(MARIA), ...textOf(each, '1') }, now));
  const { decisions, requests } = await other.latest();
  expect([decisions, requests]).toMatchObject([[], [{ run: { ref: 'r1' } }]]);
});

it('leaves out records that are gone or unreadable', async () => {
  const [one, other] = [process(), process()];
  for (const ref of ['gone', 'broken', 'whole']) await one.asking(ref);
  await redis().del(recordKeys('gone').record);
  await redis().hset(recordKeys('broken').record, 'record', '{"version":7}', 'writes', 'AAAAAAAA');
  expect(refsOf(await one.latest())).toEqual(['whole']);
  expect(refsOf(await other.latest())).toEqual(['whole']);
});

it('forgets a run that nobody tracks', async () => {
  const { latest, asking, store } = process();
  await asking('r1');
  expect((await latest()).runs).toHaveLength(1);
  await store.change('r1', (each, now) => ok({ ...each, unfollowed: { by: MARIA, at: now } }));
  expect(await latest()).toMatchObject({ runs: [], requests: [] });
});

it('reads nothing again for a while, and only once for all who ask at the same time', async () => {
  const { asking } = process();
  await asking('r1');
  const { latest } = createOverview(redis(), createLocalState(), { reuseMs: 60_000 });
  await redis().call('CONFIG', 'RESETSTAT');
  await Promise.all([latest(), latest(), latest()]);
  await latest();
  const stats = String(await redis().call('INFO', 'commandstats'));
  const scripts = [...stats.matchAll(/^cmdstat_evalsha:calls=(\d+)/gm)].map(([, calls]) => Number(calls));
  expect(scripts[0]).toBe(SHARDS.length + 1);
});

it('is as it was a moment ago, unless it has to be as it is now', async () => {
  const { latest, asking } = process({ reuseMs: 60_000 });
  await latest();
  await asking('new');
  expect(refsOf(await latest())).toEqual([]);
  const reading = latest('now');
  await asking('newer');
  expect(refsOf(await latest('now'))).toEqual(['new', 'newer']);
  await reading;
  expect(refsOf(await latest())).toEqual(['new', 'newer']);
});
