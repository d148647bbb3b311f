import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoffMs } from '../core/time.ts';
import { type SlackToken, slackStartFailure } from './slack-start-failure.ts';
import { CannotStart } from './start-up-checks.ts';

/**
 * Makes a call that the bot can't start without, and repeats it while Slack has a trouble that may pass.
 * @throws {CannotStart} if it lasts
 */
export type CallSlack = <Value>(token: SlackToken, call: () => Promise<Value>) => Promise<Value>;

/** For all calls of a start together. */
const PATIENCE_MS = 60_000;
const BACKOFF = { firstMs: 500, mostMs: 10_000 };

/** For one start, which begins now. */
export function createCallSlack(log: Logger, patienceMs = PATIENCE_MS): CallSlack {
  const deadline = performance.now() + patienceMs;
  return async (token, call) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await call();
      } catch (cause) {
        const { what, advice, isPassing, waitMs: askedMs } = slackStartFailure(cause, token);
        const waitMs = askedMs ?? backoffMs(tries, BACKOFF);
        const asked = askedMs === null ? '' : ` and asks to wait ${askedMs / 1000} s`;
        if (!isPassing || performance.now() + waitMs > deadline)
          throw new CannotStart(`${what}${asked}. ${advice}`, { cause });
        log.warn({ waitMs }, `${what}${asked}; trying again`);
        await pause(waitMs);
      }
    }
  };
}
