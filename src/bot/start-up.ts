// The first contact with Redis, the HTTP port and Slack. A failure ends the start with one line that tells the operator what to do.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../core/values/time.ts';
import type { HttpServer } from '../http/server.ts';
import type { RedisClient } from '../redis/call.ts';
import { connectRedis, pingRedis } from '../redis/connection.ts';
import { checkFormat } from '../redis/format.ts';
import type { Outages } from '../redis/outages.ts';
import { callFailureOf } from '../slack/api/errors.ts';
import { type EndReason, NotConnected } from '../slack/receivers/socket-connection.ts';

/** The bot can't start; the message is the one line that the operator reads. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}

const REDIS_WAIT_MS = 5_000;
const REDIS_RETRY_MS = 100;

/**
 * Starts connecting to Redis. Nothing may be served before `isUp` resolves: Redis has answered then, and holds nothing that this
 * version can't read. `isUp` rejects with CannotStart, without an answer after REDIS_WAIT_MS.
 */
export function openRedis(
  url: string,
  { log, outages }: { log: Logger; outages: Outages },
): { redis: RedisClient; isUp: Promise<void> } {
  let hasAnswered = false;
  let refusal: string | null = null;
  // CannotStart tells the operator if there was no answer yet.
  const levelOf = (connection?: string) => (hasAnswered && outages.isDue(connection) ? 'warn' : 'debug');
  const redis = connectRedis(url, {
    onTrouble: (reason, code) => {
      refusal = code;
      log[levelOf()]({ reason }, 'Redis connection error');
    },
    nodes: {
      onAway: (node, reason) =>
        log[levelOf(node)]({ node, reason }, 'lost the connection to a node of the Redis Cluster'),
      onBack: (node) => log.info({ node }, 'connected to a node of the Redis Cluster again'),
    },
    onFailover: (state) =>
      state === 'announced'
        ? log.warn('a sentinel has announced a failover of Redis: nothing is acknowledged until it is over')
        : log.info('the failover of Redis is over'),
  });
  const answered = untilAnswered(redis).catch((cause) => {
    redis.disconnect();
    throw new CannotStart(whyNotRedis(refusal), { cause });
  });
  const isUp = answered.then((format) => {
    hasAnswered = true;
    if (format === 'ours') return;
    redis.disconnect();
    throw new CannotStart(FOREIGN);
  });
  return { redis, isUp };
}

const FOREIGN =
  "REDIS_URL leads to data of another version of Signoff, which this one can't read: choose an empty Redis, or another database number.";

/** @throws what the last try fails with */
async function untilAnswered(redis: RedisClient): Promise<'ours' | 'foreign'> {
  const deadline = performance.now() + REDIS_WAIT_MS;
  // A ping before the connection is made would be repeated only after a pause.
  await once(redis, 'ready', { signal: AbortSignal.timeout(REDIS_RETRY_MS) }).catch(() => {});
  for (;;) {
    try {
      await pingRedis(redis);
      return await checkFormat(redis);
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    // A refusal comes immediately each time.
    await pause(REDIS_RETRY_MS);
  }
}

/** Quotes only the error code: the rest of Redis' message may contain the password. */
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

/**
 * Makes a call that the bot can't start without, and repeats it while Slack has a trouble that may pass.
 * @throws {CannotStart} if it lasts
 */
export type CallSlack = <Value>(token: SlackToken, call: () => Promise<Value>) => Promise<Value>;

/** The time that all calls of a start have together. */
const PATIENCE_MS = 60_000;
const BACKOFF = { firstMs: 500, mostMs: 10_000 };

export function createCallSlack(log: Logger, patienceMs = PATIENCE_MS): CallSlack {
  const deadline = performance.now() + patienceMs;
  return async (token, call) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await call();
      } catch (cause) {
        const { what, advice, isPassing, waitMs: askedMs } = slackStartFailure(cause, token);
        const waitMs = askedMs ?? backoffMs(tries, BACKOFF);
        const pauseAdvice = askedMs === null ? '' : ` and asks to wait ${askedMs / 1000} s`;
        if (!isPassing || performance.now() + waitMs > deadline)
          throw new CannotStart(`${what}${pauseAdvice}. ${advice}`, { cause });
        log.warn({ waitMs }, `${what}${pauseAdvice}; trying again`);
        await pause(waitMs);
      }
    }
  };
}

type SlackToken = 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';

/** The reason why a call of the start failed, and advice for the operator: one sentence each. */
interface SlackStartFailure {
  what: string;
  advice: string;
  /** The trouble may pass by itself. `waitMs`: the time that Slack asks us to wait. */
  isPassing: boolean;
  waitMs: number | null;
}

/** The sentence never quotes a token, or an answer that isn't Slack's. */
function slackStartFailure(error: unknown, token: SlackToken): SlackStartFailure {
  if (error instanceof NotConnected) return socketFailure(error.reason);
  const failure = callFailureOf(error);
  switch (failure.kind) {
    case 'rate-limited':
      return passing(`Slack limits the rate of this app's calls (${failure.answer})`, LATER, failure.waitMs);
    case 'unavailable':
      return passing(`Slack answered ${failure.answer}`, `Look at https://slack-status.com. ${LATER}`, failure.waitMs);
    case 'refused':
      return lasting(`Slack refused ${token} (${failure.name})`, "Copy it from the app's settings again.");
    case 'foreign': {
      const what = `What answers at SLACK_API_URL isn't Slack's API (${failure.answer})`;
      return lasting(what, 'Check the address, and the proxy on the way.');
    }
    case 'unreached':
      return lasting("Couldn't reach Slack at SLACK_API_URL", 'Check the network and the address.');
  }
}

const LATER = 'Start the bot again later.';
const CHECK_WEBSOCKETS = 'Check that the network and its proxy let WebSocket connections to Slack through.';

function socketFailure(reason: EndReason): SlackStartFailure {
  switch (reason) {
    case 'link_disabled': {
      const advice = 'Turn it on there, or use HTTP mode: SLACK_SIGNING_SECRET instead of SLACK_APP_TOKEN.';
      return lasting("Socket Mode is turned off in the app's settings (link_disabled)", advice);
    }
    case 'too_many_websockets': {
      const what = 'Slack allows this app no more Socket Mode connections (too_many_websockets)';
      return passing(what, 'Stop other processes that use SLACK_APP_TOKEN; at most ten may be connected.');
    }
    case 'no_hello':
      return passing('Slack left the Socket Mode connection unanswered', CHECK_WEBSOCKETS);
    case 'lost':
    case 'warning':
    case 'refresh_requested':
    case 'other':
      return passing(`The Socket Mode connection ended before it was ready (${reason})`, CHECK_WEBSOCKETS);
  }
}

function passing(what: string, advice: string, waitMs: number | null = null): SlackStartFailure {
  return { what, advice, isPassing: true, waitMs };
}

function lasting(what: string, advice: string): SlackStartFailure {
  return { what, advice, isPassing: false, waitMs: null };
}
