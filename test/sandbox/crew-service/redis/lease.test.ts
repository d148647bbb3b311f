import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { startRedis } from '../../../support/redis.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { startServiceProcess } from '../service-process.ts';
import { crews } from '../slow-crews.ts';
import { until } from '../until.ts';

const CREWS = fileURLToPath(new URL('../slow-crews.ts', import.meta.url));
const SINCE = /since 20\d\d-\d\d-\d\dT[\d:.]+Z/;

const redis = sharedRedis();
let client: Redis;

beforeAll(async () => {
  client = new Redis(redis.socketPath);
});

afterAll(() => client.disconnect());

const start = (keyPrefix: string) =>
  startCrewService({ crews, tokens: { organisation: 'org-token' }, redisUrl: redis.socketPath, keyPrefix });

/** What it answers, or nothing once it takes no connections. */
const statusOf = (service: CrewService) =>
  crewCaller(service.baseUrlOf('staged'), 'org-token')
    .get('/inputs')
    .then(({ status }) => status)
    .catch(() => undefined);

const ELSEWHERE = {
  id: 'other',
  since: '2026-11-22T10:00:00.000Z',
  host: 'another-host',
  pid: 7,
  pidSpace: 'elsewhere',
};
const hold = (prefix: string, ms: number) => client.set(`${prefix}lease`, JSON.stringify(ELSEWHERE), 'PX', ms);

describe.concurrent('one crew service at a time works with a Redis prefix', () => {
  it('a second one in the same process is told by which process it is held, and the first one works on', async ({
    expect,
  }) => {
    const first = await start('same-process:');
    const second = start('same-process:');
    await expect(second).rejects.toThrow(
      `Another crew service works with the Redis prefix "same-process:": process ${process.pid} on ${hostname()}, since 20`,
    );
    expect(await statusOf(first)).toBe(200);
    await first.close();
    await (await start('same-process:')).close();
  });

  it('a service in another process is refused at once, and takes over at once when that one was killed', async ({
    expect,
  }) => {
    const first = await startServiceProcess(redis.socketPath, CREWS);
    const refused = await start('crew-service:').catch(String);
    expect(refused).toContain(`process ${first.process.pid} on ${hostname()}`);
    expect(refused).toMatch(SINCE);
    await first.kill();
    expect(await client.pttl('crew-service:lease')).toBeGreaterThan(0);
    const heldUntil = Date.now() + (await client.pttl('crew-service:lease'));
    const second = await start('crew-service:');
    expect(Date.now()).toBeLessThan(heldUntil);
    await second.close();
  });

  it('of a holder elsewhere, the lease is waited for, but not if it is renewed', async ({ expect }) => {
    await hold('elsewhere:', 600);
    await (await start('elsewhere:')).close();
    await hold('renewed:', 5_000);
    const renewing = setInterval(() => hold('renewed:', 5_000), 100);
    await expect(start('renewed:')).rejects.toThrow('process 7 on another-host, since 2026-11-22T10:00:00.000Z');
    clearInterval(renewing);
  });

  it.each([
    ['another holds it', 'taken:', () => hold('taken:', 60_000)],
    ['another has held it and ended', 'held:', () => client.multi().del('held:lease').incr('held:lease-number').exec()],
  ])('a service that was away too long stops: %s', async (_what, prefix, takeOver) => {
    const service = await start(prefix);
    await takeOver();
    expect((await service.lost).message).toBe(`Another crew service has taken over the Redis prefix "${prefix}".`);
    expect(await statusOf(service)).toBeUndefined();
    await service.close();
    await client.del(`${prefix}lease`);
  });

  it('a service takes its lease again if all keys were removed', async ({ expect }) => {
    const service = await start('flushed:');
    await client.del('flushed:lease', 'flushed:lease-number');
    await until('the lease', async () => (await client.exists('flushed:lease', 'flushed:lease-number')) === 2);
    expect(await statusOf(service)).toBe(200);
    await service.close();
    expect(await client.exists('flushed:lease')).toBe(0);
  });
});

it('the process that lost its lease ends with a failure that says so', async () => {
  const own = await startRedis();
  const service = await startServiceProcess(own.socketPath, CREWS);
  const thief = new Redis(own.socketPath);
  await thief.set('crew-service:lease', JSON.stringify(ELSEWHERE), 'PX', 60_000);
  expect(await service.exited).toBe(1);
  expect(service.output()).toContain('Another crew service has taken over the Redis prefix "crew-service:".');
  thief.disconnect();
  await own.stop();
});
