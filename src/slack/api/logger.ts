import { LogLevel, type Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from 'pino';

/** Passes the warnings and errors of Slack's packages to our log. At debug level they print payloads with outputs and tokens. */
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
