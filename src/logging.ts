import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

/** Field names under which a secret or a user's text could slip into the log. */
const REDACTED = [
  'token',
  'botToken',
  'appToken',
  'signingSecret',
  'authorization',
  'password',
  'secret',
  'text',
  'output',
];

/**
 * One line per event: JSON or, if `readable` and the development packages are installed, text for a terminal.
 * @param to where the JSON goes; default: standard output
 */
export function createLog({
  level,
  readable,
  to,
}: {
  level: string;
  readable: boolean;
  to?: DestinationStream;
}): Logger {
  const redact = { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' };
  const options = { level, redact, base: null, serializers: { err: describeError } };
  if (!readable) return pino(options, to);
  try {
    return pino({
      ...options,
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    });
  } catch {
    return pino(options);
  }
}

interface ErrorFacts {
  type: string;
  message: string;
  code: string | null;
  /** The first line of our own code in the stack: `dist/worker/worker.js:120`. */
  at: string | null;
  cause: ErrorFacts | null;
}

/**
 * What is logged of an error. Its other fields are left out, since clients' errors carry whole requests and answers, and so
 * is its stack, which begins with the whole message, however long it is.
 */
function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'not an error', code: null, at: null, cause: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const cause = error.cause === undefined ? null : describeError(error.cause);
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    code,
    at: placeOf(error),
    cause,
  };
}

function placeOf({ stack }: Error): string | null {
  const frames = stack?.split('\n').filter((line) => /^ {4}at /.test(line) && !line.includes('node_modules')) ?? [];
  const places = frames.map((frame) => /\/((?:src|dist)\/[^\s():]+:\d+)/.exec(frame)?.[1]);
  return places.find((place) => place !== undefined) ?? null;
}
