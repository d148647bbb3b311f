import { startRedis, type TestRedis } from '../../support/redis.ts';
import { type Bot, type BotOptions, startBot } from './bot.ts';
import type { Setup } from './contenders.ts';
import { createRedisMeter, type RedisMeter } from './redis-counts.ts';
import { type Stubs, startStubs } from './stubs.ts';

/** A bot with a Redis, a Slack and a crew of its own. */
export interface BotWorld {
  bot: Bot;
  stubs: Stubs;
  redis: TestRedis;
  meter: RedisMeter;
}

/** Ends all of it afterwards. */
export async function withBot<T>(
  { cores, durable }: Pick<Setup, 'cores' | 'durable'>,
  use: (world: BotWorld) => Promise<T>,
  options: Pick<BotOptions, 'program' | 'policies'> = {},
): Promise<T> {
  const redis = await startRedis({ appendOnly: durable });
  const stubs = await startStubs(cores.others);
  const meter = createRedisMeter(redis.port);
  try {
    const bot = await startBot({ stubs, redisUrl: redis.url, core: cores.server, ...options });
    return await use({ bot, stubs, redis, meter }).finally(() => bot.kill());
  } finally {
    meter.close();
    await stubs.stop();
    await redis.stop();
  }
}
