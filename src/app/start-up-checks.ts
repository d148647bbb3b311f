import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { HttpServer } from '../http/server.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { connectRedis, pingRedis } from '../redis/connection/connect.ts';
import { slackErrorName } from '../slack/api/errors.ts';

/** Something outside is not as it has to be; the message is the one line that the operator reads. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

const REDIS_PATIENCE_MS = 5_000;
const REDIS_PAUSE_MS = 100;

/** Resolves when Redis answers. @throws {CannotStart} when it doesn't for REDIS_PATIENCE_MS */
export async function reachRedis(url: string, log: Logger): Promise<RedisClient> {
  let isUp = false;
  let refusal: string | null = null;
  const redis = connectRedis(url, {
    onTrouble: (reason, code) => {
      refusal = code;
      // Before the first answer the start says so itself, in one line.
      log[isUp ? 'warn' : 'debug']({ reason }, 'the connection to Redis has trouble');
    },
  });
  const deadline = performance.now() + REDIS_PATIENCE_MS;
  for (;;) {
    try {
      await pingRedis(redis);
      isUp = true;
      return redis;
    } catch (cause) {
      if (performance.now() >= deadline) {
        redis.disconnect();
        throw new CannotStart(whyNotRedis(refusal), { cause });
      }
    }
    // A refusal comes at once, again and again.
    await pause(REDIS_PAUSE_MS);
  }
}

/** Says the code alone: what Redis says behind it may quote the password. */
function whyNotRedis(code: string | null): string {
  if (code === null) return 'Redis does not answer at REDIS_URL. Please check the address and that Redis is running.';
  const what = 'the user name, the password and the number of the database in it, and whether it is a Cluster';
  return `Redis answers, but refuses what REDIS_URL asks for (${code}). Please check ${what}.`;
}

/** @throws {CannotStart} where Slack refuses the token or can't be reached */
export async function reachSlack<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (cause) {
    const name = slackErrorName(cause);
    const message =
      name === null
        ? 'Slack can not be reached at SLACK_API_URL. Please check the network and the address.'
        : `Slack refused the token (${name}). Please check SLACK_BOT_TOKEN, and SLACK_APP_TOKEN in Socket Mode.`;
    throw new CannotStart(message, { cause });
  }
}

/** @throws {CannotStart} where the port can't be had */
export async function openPort(http: HttpServer, port: number): Promise<number> {
  try {
    return await http.listen(port);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    const message = `Nothing can listen at PORT ${port}${code}. Please choose another one, or end what uses it.`;
    throw new CannotStart(message, { cause });
  }
}
