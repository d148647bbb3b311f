import type { Logger as SlackLogger } from '@slack/bolt';
import { LogLevel } from '@slack/bolt';
import type { Logger } from 'pino';

/**
 * Slack's packages as one more voice in our log. They may print whole payloads at their debug level, which hold outputs
 * and tokens, so that only their warnings and errors are taken.
 */
export function slackLogger(log: Logger): SlackLogger {
  const say = (parts: unknown[]) =>
    parts
      .filter((part) => typeof part === 'string')
      .join(' ')
      .slice(0, 500);
  return {
    debug() {},
    info() {},
    warn: (...parts: unknown[]) => log.warn({ from: 'slack' }, say(parts)),
    error: (...parts: unknown[]) => log.error({ from: 'slack' }, say(parts)),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
