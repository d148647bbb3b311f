import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { startRedisProcess } from '../../src/setup/redis-process.ts';
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

it('An append-only Redis keeps what was answered over a power cut', async () => {
  const { redis, client } = await redisWithClient({ appendOnly: true });
  await client.set('decision', 'approve');
  await redis.kill();
  await redis.restart();
  expect(await client.get('decision')).toBe('approve');
});

it('Another Redis forgets everything over a power cut', async () => {
  const { redis, client } = await redisWithClient();
  await client.set('decision', 'approve');
  await redis.kill();
  await redis.restart();
  expect(await client.get('decision')).toBeNull();
});

it('A Redis takes the place of one that a killed process left behind, with all that it holds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-left-behind-'));
  const port = await startAndDie(folder);
  const left = new Redis({ port });
  left.on('error', () => {});
  await left.set('decision', 'approve');
  await expect(startRedisProcess({ folder, appendOnly: true })).rejects.toThrow('Another process runs with its Redis');
  left.disconnect();

  const redis = await startRedisProcess({ folder, appendOnly: true });
  const client = new Redis(redis.url);
  expect(await client.get('decision')).toBe('approve');
  const dead = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  dead.on('error', () => {});
  await expect(dead.connect()).rejects.toThrow();
  client.disconnect();
  await redis.end();
  await rm(folder, { recursive: true });
});

/** A process that starts a Redis in this folder and is killed; answers the port of that Redis. */
async function startAndDie(folder: string): Promise<number> {
  const program = `
    import { startRedisProcess } from './src/setup/redis-process.ts';
    const { port } = await startRedisProcess({ folder: ${JSON.stringify(folder)}, appendOnly: true });
    process.stdout.write(String(port), () => process.kill(process.pid, 'SIGKILL'));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  await once(child, 'exit');
  return Number(port);
}
