import { expect, it } from 'vitest';
import { startTrimmingHistory } from '../../src/bot/schedule.ts';
import { moveChannel } from '../../src/core/state/execution.ts';
import { ok } from '../../src/core/values/result.ts';
import { createChannelMoves } from '../../src/redis/channel-moves.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { ledgerKey, recordKeys, runNamesKey, shardOf } from '../../src/redis/keys.ts';
import { findRuns } from '../../src/tools/audit/find-runs.ts';
import { silent } from '../crew/crew-values.ts';
import { changed, type ExecutionChange } from '../support/executions.ts';
import { posted } from '../support/requests.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis } = redisForTests();
const DAY_MS = 86_400_000;
const store = () => createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
const TS = '1763690000.000100';

async function storeRun(ref: string, change: ExecutionChange = {}): Promise<void> {
  const names = { root: posted({ ts: TS }), kickoffIds: [`k-${ref}`] };
  await store().create(ref, (now) => started(ref, now, { ...names, ...change }));
}

const byThread = (ts = TS, channel = 'C1') => findRuns(redis(), { kind: 'thread', channel, ts });
const byId = (id: string) => findRuns(redis(), { kind: 'id', id });

it('finds a run by its thread, its reference and each of its kickoff ids', async () => {
  await storeRun('r1', { kickoffIds: ['k1', 'k2'] });
  await storeRun('r2', { root: posted({ ts: '1763690000.000200' }) });
  expect(await byThread()).toEqual(['r1']);
  for (const id of ['r1', 'k1', 'k2']) expect(await byId(id)).toEqual(['r1']);
  expect(await byThread('1763690000.000200')).toEqual(['r2']);
});

it('finds nothing by what isn’t whole, or is of another channel', async () => {
  await storeRun('r1', { kickoffIds: ['k-1234'] });
  for (const id of ['', 'k', 'k-123', '*', 'k-*', 'k-123[0-9]', TS, 'C1']) expect(await byId(id)).toEqual([]);
  expect(await byThread(TS, 'C2')).toEqual([]);
  expect(await byThread('1763690000.00010')).toEqual([]);
});

it('finds a run by an id with characters that mean something to Redis or JSON', async () => {
  const id = 'a*b?c[d]e\\f"g^h-ü';
  await storeRun('r1', { kickoffIds: [id] });
  expect(await byId(id)).toEqual(['r1']);
});

it('finds all runs that services have given the same id', async () => {
  await storeRun('r1', { kickoffIds: ['k'] });
  await storeRun('r2', { kickoffIds: ['k'], crew: 'other' });
  expect((await byId('k')).sort()).toEqual(['r1', 'r2']);
});

it('finds a run as soon as it has a thread and an id, and by what they are now', async () => {
  await store().create('r1', (now) => started('r1', now));
  expect(await byThread()).toEqual([]);
  await store().change('r1', (each) => ok(changed(each, { root: posted({ ts: TS }) })));
  expect(await byThread()).toEqual(['r1']);
  await store().change('r1', (each) => ok({ ...each, kickoffIds: ['k1'] }));
  expect([await byThread(), await byId('k1')]).toEqual([['r1'], ['r1']]);
});

it('finds a run by a link from before its channel got another id', async () => {
  await storeRun('r1');
  await storeRun('r2', { root: posted({ ts: '1763690000.000200' }) });
  await createChannelMoves(redis()).add('C1', 'C9');
  await store().change('r1', (each) => ok(moveChannel(each, { from: 'C1', to: 'C9' })));
  for (const channel of ['C1', 'C9']) {
    expect(await byThread(TS, channel)).toEqual(['r1']);
    expect(await byThread('1763690000.000200', channel)).toEqual(['r2']);
  }
});

it('forgets a run with its ledger entries, and not before', async () => {
  const old = Date.now() - 403 * DAY_MS;
  const runs = { gone: {}, recent: { createdAt: old + 2 * DAY_MS }, entered: {}, running: {} };
  for (const [ref, change] of Object.entries(runs)) {
    await storeRun(ref, { createdAt: old, ...change });
    if (ref !== 'running') await redis().del(recordKeys(ref).record);
  }
  await redis().rpush(ledgerKey('entered'), 'an entry');
  await redis().zadd(runNamesKey('00'), 1, 'nonsense');
  await startTrimmingHistory(redis(), { auditDays: 400, log: silent }).stop();
  expect((await Promise.all(Object.keys(runs).map((ref) => byId(ref)))).flat()).toEqual([
    'recent',
    'entered',
    'running',
  ]);
  expect(await redis().zscore(runNamesKey('00'), 'nonsense')).toBeNull();
});

it('forgets a run that is removed', async () => {
  await storeRun('r1');
  await store().remove('r1', () => true);
  expect(await redis().exists(runNamesKey(shardOf('r1')))).toBe(0);
});
