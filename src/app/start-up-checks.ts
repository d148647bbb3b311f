import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { HttpServer } from '../http/server.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { connectRedis, pingRedis } from '../redis/connection/connect.ts';

/** The bot can't start; the message is the one line that the operator reads. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

const REDIS_WAIT_MS = 5_000;
const REDIS_RETRY_MS = 100;

/**
 * Starts connecting to Redis. Nothing may be served before `isUp` resolves, with its first answer; it rejects with CannotStart
 * after REDIS_WAIT_MS without one.
 */
export function openRedis(url: string, log: Logger): { redis: RedisClient; isUp: Promise<void> } {
  let hasAnswered = false;
  let refusal: string | null = null;
  /** What is logged of the present trouble: each attempt to connect fails alike. */
  const reasons = new Set<string>();
  // Before the first answer, the one line that the operator reads says it.
  const level = () => (hasAnswered ? 'warn' : 'debug');
  const redis = connectRedis(url, {
    onTrouble: (reason, code) => {
      refusal = code;
      if (!reasons.has(reason)) log[level()]({ reason }, 'Redis connection error');
      if (hasAnswered) reasons.add(reason);
    },
    nodes: {
      onAway: (node, reason) => log[level()]({ node, reason }, 'lost the connection to a node of the Redis Cluster'),
      onBack: (node) => log.info({ node }, 'connected to a node of the Redis Cluster again'),
    },
  });
  redis.on('ready', () => {
    if (reasons.size > 0) log.info('connected to Redis again');
    reasons.clear();
  });
  const answered = untilAnswered(redis).catch((cause) => {
    redis.disconnect();
    throw new CannotStart(whyNotRedis(refusal), { cause });
  });
  const isUp = answered.then(() => {
    hasAnswered = true;
  });
  return { redis, isUp };
}

/** @throws what the last ping fails with */
async function untilAnswered(redis: RedisClient): Promise<void> {
  const deadline = performance.now() + REDIS_WAIT_MS;
  // A ping before the connection is made would be repeated only after a pause.
  await once(redis, 'ready', { signal: AbortSignal.timeout(REDIS_RETRY_MS) }).catch(() => {});
  for (;;) {
    try {
      return await pingRedis(redis);
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    // A refusal comes immediately each time.
    await pause(REDIS_RETRY_MS);
  }
}

/** Names only the error code: the rest of Redis' message may quote the password. */
function whyNotRedis(code: string | null): string {
  if (code === null) return "Redis doesn't answer at REDIS_URL. Check the address, and that Redis is running.";
  const what = 'its user name, password and database number, and whether it is a Cluster';
  return `Redis answers, but refuses what REDIS_URL asks for (${code}). Check ${what}.`;
}

/** @throws {CannotStart} if the port isn't available */
export async function openPort(http: HttpServer, port: number): Promise<number> {
  try {
    return await http.listen(port);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const message = `Couldn't listen on PORT ${port}${code}. Choose another one, or stop what uses it.`;
    throw new CannotStart(message, { cause });
  }
}
