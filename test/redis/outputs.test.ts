import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordCompletion, recordTask } from '../../src/core/execution/run.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { changed } from '../support/executions.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis } = redisForTests();
const outputs = () => createOutputStore(redis(), { retentionDays: 30 });
const executions = () => createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
const lifetime = () => redis().pttl(recordKeys('r1').record);

it('returns any text by the hash of its content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const { hash, length } = await outputs().put('r1', text);
      expect(await outputs().get('r1', hash)).toBe(text);
      expect(length).toBe(text.length);
    }),
    { numRuns: 50 },
  );
});

it('addresses the same text by the same hash for every execution', async () => {
  expect(await outputs().put('r1', 'Hello')).toEqual({
    hash: '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969',
    length: 5,
  });
  expect(await outputs().put('r2', 'Hello')).toEqual(await outputs().put('r1', 'Hello'));
});

it('replaces a lone surrogate, and keeps the length', async () => {
  const output = await outputs().put('r1', 'a\ud83db');
  expect(output.length).toBe(3);
  expect(await outputs().get('r1', output.hash)).toBe('a\ufffdb');
});

it('compresses five megabytes to much less', async () => {
  const text = Array.from({ length: 100_000 }, (_, i) => `Line ${i} of the report. Ünïcödé…\n`).join('');
  const { hash } = await outputs().put('r1', text.repeat(2).slice(0, 5_000_000));
  expect(await outputs().get('r1', hash)).toHaveLength(5_000_000);
  expect(await redis().hstrlen(recordKeys('r1').record, hash)).toBeLessThan(1_500_000);
});

it('has stored a text before its execution exists, and a removed execution leaves none', async () => {
  const { hash } = await outputs().put('r1', 'Hello');
  expect(await executions().load('r1')).toBeNull();
  expect(await executions().create('r1', (now) => started('r1', now))).toBe('created');
  expect(await outputs().get('r1', hash)).toBe('Hello');
  await executions().remove('r1', () => true);
  expect((await redis().keys('*')).filter((key) => !key.includes(':writes:'))).toEqual([]);
});

it('takes one call to Redis for a short text, and compresses a long one only if it is new', async () => {
  const sent = async () => Number(/total_net_input_bytes:(\d+)/.exec(await redis().info('stats'))?.[1]);
  const long = Array.from({ length: 50_000 }, (_, i) => `${i * i} `).join('');
  await outputs().put('r1', long);
  const before = await sent();
  await outputs().put('r1', long);
  expect((await sent()) - before).toBeLessThan(1_000);
  const calls = async () => Number(/total_commands_processed:(\d+)/.exec(await redis().info('stats'))?.[1]);
  await outputs().put('r1', 'short');
  const first = await calls();
  await outputs().put('r1', 'short too');
  // The script runs two commands; asking for the number is one more.
  expect((await calls()) - first).toBeLessThanOrEqual(4);
});

it('has nothing under another hash or for another execution', async () => {
  const { hash } = await outputs().put('r1', 'Hello');
  expect(await outputs().get('r1', 'f00')).toBeNull();
  expect(await outputs().get('r2', hash)).toBeNull();
});

it('keeps a text for a while if its record was never written', async () => {
  await outputs().put('r1', 'Hello');
  expect(await lifetime()).toBeGreaterThan(0);
});

it('keeps a text as long as its execution, even one stored after the end or before the start', async () => {
  const completion = { hop: 0, kickoffId: 'k1', result: null };
  const task = { hop: 0, kickoffId: 'k1', name: 'a', agent: null, summary: '', output: null };
  await outputs().put('r1', 'before the start');
  await executions().create('r1', (now) => started('r1', now));
  expect(await lifetime()).toBe(-1);
  await executions().change('r1', (execution, now) => ok({ ...execution, run: { status: 'lost', lostAt: now } }));
  await executions().change('r1', (execution) =>
    ok(changed(execution, { kickoff: { status: 'settled' }, root: { status: 'gone', ts: null } })),
  );
  expect(await lifetime()).toBeGreaterThan(0);
  await executions().change('r1', (execution, now) => ok(recordTask(execution, task, now)));
  expect(await lifetime()).toBe(-1);
  await executions().change('r1', (execution, now) => ok(recordCompletion(execution, completion, now)));
  await outputs().put('r1', 'after the end');
  expect(await lifetime()).toBeGreaterThan(0);
});
