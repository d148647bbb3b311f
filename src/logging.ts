import { readFileSync, writeSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';
import { isOutage } from './core/ports.ts';
import { Outages } from './redis/outages.ts';

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

interface LogOptions {
  level: string;
  readable: boolean;
  /** Stream for the JSON. Default: standard output. */
  to?: DestinationStream;
  /** Has a function called before the process exits, which writes the last lines. */
  atExit?: (write: () => void) => void;
  /** Limits how often this log warns of an outage of Redis. */
  outages?: Outages;
}

/**
 * Returns a log with one line per event: JSON or, if `readable` and the development packages are installed, text for a terminal.
 */
export function createLog({ outages = new Outages(), ...options }: LogOptions): Logger {
  return warnOnceOfOutages(createPlainLog(options), outages);
}

function createPlainLog({ level, readable, to, atExit = () => {} }: Omit<LogOptions, 'outages'>): Logger {
  const redact = { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' };
  const options = { level, redact, base: null, serializers: { err: describeError } };
  if (!readable) return pino(options, to ?? linesTogether(pino.destination({ sync: false }), atExit));
  try {
    return pino({
      ...options,
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    });
  } catch {
    return pino(options);
  }
}

/** Each write wakes whoever reads the log, and takes as long as a tenth of what leads to the acknowledgement of a click. */
const LINES_MS = 50;

const STDOUT = 1;

/**
 * Returns a stream that passes lines on together, at most 50 ms later, at once when it is flushed, and before the process exits. A signal
 * that kills the process loses those that it still has.
 */
function linesTogether(
  to: DestinationStream,
  atExit: NonNullable<LogOptions['atExit']>,
): DestinationStream & { flush(done?: () => void): void } {
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  const pass = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    to.write(lines);
    lines = '';
  };
  atExit(() => {
    try {
      writeSync(STDOUT, lines);
    } catch {
      // Nobody reads the log any more.
    }
  });
  return {
    write(line) {
      lines += line;
      timer ??= setTimeout(pass, LINES_MS).unref();
    },
    flush(done) {
      pass();
      done?.();
    },
  };
}

/**
 * Logs one warning for an outage of Redis, which isn't our fault. Everything that failed because of it is logged as `debug`.
 * pino's own hook would run for every line, also for each click.
 */
function warnOnceOfOutages(log: Logger, outages: Outages): Logger {
  const warn = log.warn.bind(log);
  const unlessOutage =
    (write: (facts: object | string, message?: string) => void) => (facts: object | string, message?: string) => {
      const error = typeof facts === 'object' && 'err' in facts ? facts.err : null;
      if (!(error instanceof Error) || !isOutage(error)) return write(facts, message);
      if (outages.isDue()) warn({ reason: error.message, failed: message }, 'Redis is away, or refuses to answer');
      log.debug(facts, message);
    };
  return Object.assign(log, { warn: unlessOutage(warn), error: unlessOutage(log.error.bind(log)) });
}

interface ErrorFacts {
  type: string;
  message: string;
  code: string | null;
  /** The first line of our own code in the stack: `src/worker/worker.ts:120`. */
  at: string | null;
  cause: ErrorFacts | null;
}

/**
 * Returns what the log says of an error. Other fields of a client's error carry whole requests and answers, and its stack begins
 * with the whole message, however long.
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
  for (const line of stack?.split('\n') ?? []) {
    const [, file, row, column] = FRAME.exec(line) ?? [];
    if (file === undefined || file.includes('/node_modules/')) continue;
    const place = file.includes('/dist/') ? sourceOf(file, Number(row), Number(column)) : `${file}:${row}`;
    const [, own] = OWN_PLACE.exec(place) ?? [];
    if (own !== undefined) return own;
  }
  return null;
}

const FRAME = /^ {4}at .*?((?:\/[^\s()/]+)+):(\d+):(\d+)\)?$/;
const OWN_PLACE = /^(?!.*\/node_modules\/).*\/((?:src|dist)\/[^\s():]+:\d+)$/;

/** Returns the source position of a position in a bundle, or that position if there is no source map. */
function sourceOf(bundle: string, row: number, column: number): string {
  const entry = sourceMapOf(bundle)?.findEntry(row - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return `${bundle}:${row}`;
  return `${join(dirname(bundle), entry.originalSource)}:${entry.originalLine + 1}`;
}

const sourceMaps = new Map<string, SourceMap | null>();

function sourceMapOf(bundle: string): SourceMap | null {
  const known = sourceMaps.get(bundle);
  if (known !== undefined) return known;
  const map = readSourceMap(`${bundle}.map`);
  sourceMaps.set(bundle, map);
  return map;
}

function readSourceMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
