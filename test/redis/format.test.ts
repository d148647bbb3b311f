import { expect, it } from 'vitest';
import type { RedisClient } from '../../src/redis/call.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { checkFormat, markFormat } from '../../src/redis/format.ts';
import { formatKey, policiesKey, recordKeys } from '../../src/redis/keys.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis, another } = redisForTests();
const create = (ref: string) =>
  createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null }).create(ref, (now) =>
    started(ref, now),
  );

it('an empty Redis is this version’s from its first start on, whatever the next one finds', async () => {
  expect(await checkFormat(redis())).toBe('ours');
  await redis().hset(policiesKey, 'ab', '{}');
  expect(await checkFormat(redis())).toBe('ours');
});

it('takes one call where the format is known', async () => {
  await markFormat(redis());
  const calls = async () => Number(/total_commands_processed:(\d+)/.exec(await redis().info('stats'))?.[1]);
  const before = await calls();
  await checkFormat(redis());
  // Asking for the number is one more.
  expect((await calls()) - before).toBe(2);
});

it('processes that start at the same moment all start', async () => {
  const clients = [redis(), another(), another()];
  const start = async (client: RedisClient) => {
    const format = await checkFormat(client);
    await client.hset(policiesKey, 'ab', '{}');
    return format;
  };
  expect(await Promise.all(clients.map(start))).toEqual(['ours', 'ours', 'ours']);
});

it('records of this version are its own, also where Redis has lost everything else', async () => {
  await create('r1');
  await redis().hset(policiesKey, 'ab', '{}');
  expect(await checkFormat(redis())).toBe('ours');
  expect(await redis().get(formatKey)).toBe('7');
});

it.each([
  ['with a record of another version', (text: string) => text.replace('"version":1', '"version":8')],
  ['with a record that isn’t whole', (text: string) => text.replace('"root"', '"ro"')],
])('data %s is another version’s', async (_, change) => {
  await create('r1');
  const { record } = recordKeys('r1');
  await redis().hset(record, 'record', change((await redis().hget(record, 'record')) ?? ''));
  expect(await checkFormat(redis())).toBe('foreign');
  expect(await redis().get(formatKey)).toBeNull();
});

it('a ledger without any record is another version’s', async () => {
  await redis().hset(policiesKey, 'ab', '{}');
  expect(await checkFormat(redis())).toBe('foreign');
});
