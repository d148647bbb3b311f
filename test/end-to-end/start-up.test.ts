import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CannotStart } from '../../src/bot/start-up.ts';
import { formatKey, policiesKey, recordKeys } from '../../src/redis/keys.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { failToStart } from '../support/bot-process.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let env: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  env = world.env(await freePort());
});
afterAll(() => world.stop());

const lines = (text: string) => text.trim().split('\n');

describe.concurrent('a bot that can’t start', () => {
  it('names every bad setting at once, and no value', async () => {
    const { code, printed } = await failToStart({
      PORT: 'secret-port',
      SLACK_BOT_TOKEN: 'secret-token',
      REDIS_URL: 'http://secret-redis',
      APP_SECRET: 'secret-too-short',
      WEBHOOK_AUTH: 'secret-auth',
      LOG_LEVEL: 'secret-level',
      CREW_NAME: 'secret crew',
    });
    expect(code).toBe(1);
    const names = ['PORT', 'PUBLIC_URL', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'REDIS_URL', 'APP_SECRET'];
    for (const name of [...names, 'WEBHOOK_AUTH', 'LOG_LEVEL', 'CREW_NAME', 'CREW_BASE_URL', 'CREW_TOKEN'])
      expect(printed).toContain(name);
    expect(printed).not.toContain('secret-');
    expect(printed).not.toContain('at file:');
  });

  it('says so in one clear line', async () => {
    const { code, printed } = await failToStart({ ...env, SLACK_BOT_TOKEN: 'xoxb-wrong-token', LOG_LEVEL: 'error' });
    expect(code).toBe(1);
    expect(lines(printed)).toHaveLength(1);
    expect(printed).toContain('SLACK_BOT_TOKEN');
    expect(printed).not.toContain('wrong-token');
  });

  it.each([
    ['Slack', () => ({ SLACK_API_URL: 'http://127.0.0.1:1/api/' }), 'SLACK_API_URL'],
    ['Redis', () => ({ REDIS_URL: 'redis://:hidden-password@127.0.0.1:1' }), "Redis doesn't answer at REDIS_URL"],
    [
      'its password',
      () => ({ REDIS_URL: `redis://u:hidden-password@127.0.0.1:${world.redis.port}` }),
      'REDIS_URL asks for (WRONGPASS)',
    ],
    ['its database', () => ({ REDIS_URL: `redis://127.0.0.1:${world.redis.port}/999` }), 'REDIS_URL asks for (ERR)'],
    ['Socket Mode', () => ({ SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-wrong' }), 'SLACK_APP_TOKEN'],
    ['a port that is taken', () => ({ PORT: new URL(world.crews.origin).port }), 'PORT'],
  ])('names what is wrong with %s', async (_, wrong, name) => {
    const refused = await refusalOf(wrong());
    expect(lines(refused)).toHaveLength(1);
    expect(refused).toContain(name);
    expect(refused).not.toMatch(/hidden-password|xapp-wrong/);
  });
});

describe('a bot whose Redis another version of Signoff has written', () => {
  let old: TestRedis;
  let client: Redis;
  beforeAll(async () => {
    old = await startRedis();
    client = new Redis({ path: old.socketPath });
  });
  afterAll(async () => {
    await client.quit();
    await old.stop();
  });

  it.each([
    [
      'an earlier one with a run',
      async () => {
        await client.hset(recordKeys('r1').record, 'record', '{"version":8,"crew":"editorial","ch":"C1","ap":[]}');
        await client.zadd(recordKeys('r1').due, 1, 'r1');
      },
    ],
    ['an earlier one with nothing but a ledger', () => client.hset(policiesKey, 'ab', '{}')],
    ['a later one', () => client.set(formatKey, '99')],
  ])('doesn’t start, and says so in one sentence: %s', async (_, write) => {
    await client.flushall();
    await write();
    const { code, printed } = await failToStart({ ...env, REDIS_URL: old.url, LOG_LEVEL: 'error' });
    expect([code, lines(printed)]).toEqual([
      1,
      [
        "Signoff can't start: REDIS_URL leads to data of another version of Signoff, which this one can't read: choose an empty Redis, or another database number.",
      ],
    ]);
  });
});

/** What a bot in this process is refused with. */
async function refusalOf(wrong: Record<string, string>): Promise<string> {
  try {
    await world.startBot({ env: wrong });
  } catch (error) {
    if (error instanceof CannotStart) return error.message;
    throw error;
  }
  throw new Error('the bot started');
}

it('starts where a crew can’t be reached, and says which', async () => {
  const bot = await world.startBotProcess({ env: { CREW_BASE_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'info' } });
  await expect.poll(bot.printed).toContain('please check its address and token');
  expect(bot.printed()).toContain('"crew":"editorial"');
  await bot.stop();
});
