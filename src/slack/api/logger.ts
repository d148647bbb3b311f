import { LogLevel, type Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from 'pino';

/**
 * Our log as Bolt's `logger`. Lines of our own begin with an object, as pino takes them. Of Slack's packages, it takes the
 * warnings and errors: at debug level they print payloads with outputs and tokens.
 */
export function slackLogger(log: Logger): SlackLogger {
  const pass =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (first: unknown, ...more: unknown[]) => {
      if (isFacts(first)) log[level](first, textOf(more));
      else if (level === 'warn' || level === 'error') log[level]({ from: 'slack' }, textOf([first, ...more]));
    };
  return {
    ...{ debug: pass('debug'), info: pass('info'), warn: pass('warn'), error: pass('error') },
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}

function isFacts(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !(part instanceof Error);
}

function textOf(parts: unknown[]): string {
  return parts
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 500);
}
