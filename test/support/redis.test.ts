import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { startRedis, type TestRedis } from './redis.ts';

const started: { redis: TestRedis; client: Redis }[] = [];

afterEach(async () => {
  for (const { redis, client } of started.splice(0)) {
    client.disconnect();
    await redis.stop();
  }
});

async function redisWithClient(options?: Parameters<typeof startRedis>[0]) {
  const redis = await startRedis(options);
  const client = new Redis(redis.url);
  client.on('error', () => {});
  started.push({ redis, client });
  return { redis, client };
}

it('is a real Redis over TCP and over its unix socket', async () => {
  const { redis, client } = await redisWithClient();
  await client.set('crew', 'research');
  const local = new Redis({ path: redis.socketPath });
  expect(await local.get('crew')).toBe('research');
  local.disconnect();
});

it('never evicts a key to make room', async () => {
  const { client } = await redisWithClient();
  expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
});

it('keeps what was answered over a power cut when it is append-only', async () => {
  const { redis, client } = await redisWithClient({ appendOnly: true });
  await client.set('decision', 'approve');
  await redis.kill();
  await redis.restart();
  expect(await client.get('decision')).toBe('approve');
});

it('forgets everything over a power cut otherwise', async () => {
  const { redis, client } = await redisWithClient();
  await client.set('decision', 'approve');
  await redis.kill();
  await redis.restart();
  expect(await client.get('decision')).toBeNull();
});

it('is empty after a flush', async () => {
  const { redis, client } = await redisWithClient();
  await client.set('decision', 'approve');
  await redis.flush();
  expect(await client.dbsize()).toBe(0);
});

it('hangs while it is paused and goes on afterwards', async () => {
  const { redis, client } = await redisWithClient();
  redis.pause();
  const impatient = new Redis({ path: redis.socketPath, commandTimeout: 50 });
  impatient.on('error', () => {});
  await expect(impatient.ping()).rejects.toThrow('Command timed out');
  impatient.disconnect();
  redis.resume();
  expect(await client.ping()).toBe('PONG');
});
