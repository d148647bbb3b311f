import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isObject, type Json, parseJson } from '../../json.ts';

const level = z.enum(['fatal', 'error', 'warning', 'other']);
const moment = z.object({ at: z.string().nullable(), message: z.string() }).nullable();

/** What a log tells, small enough to hand on. Instants are ISO 8601. */
export const logSummary = z.object({
  file: z.string(),
  lines: z.number(),
  fatal: z.number(),
  errors: z.number(),
  warnings: z.number(),
  /** Of the first and the last line that have an instant. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  firstError: moment,
  lastError: moment,
  worstMinute: z.object({ at: z.string(), errors: z.number() }).nullable(),
  /** Messages that differ only in numbers and ids count as one; the most frequent first, at most 20. */
  groups: z.array(z.object({ level, message: z.string(), count: z.number() })),
});

export type LogSummary = z.infer<typeof logSummary>;
export type Level = z.infer<typeof level>;
export type LogLine = { readonly at: string | undefined; readonly level: Level; readonly message: string };

/** The log can't be read; the message says why to the person who named it. */
export class LogError extends Error {}

const LARGEST_BYTES = 200 * 1024 * 1024;
const LONGEST_LINE = 2_000;
const KEPT_GROUPS = 20;

/** Reads a log file line by line: plain text with instants and levels, or JSON lines. Rejects with `LogError`. */
export async function readLog(file: string, signal: AbortSignal): Promise<LogSummary> {
  if (!isAbsolute(file) || file.includes('\0'))
    throw new LogError(`The log file must be an absolute path, not "${file}".`);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new LogError(`There is no file "${file}" on this machine.`);
  if (found.size > LARGEST_BYTES)
    throw new LogError(`"${file}" has ${found.size} bytes; ${LARGEST_BYTES} are the most.`);
  const lines = createInterface({
    input: createReadStream(file, { encoding: 'utf8', signal }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  return summarise(file, lines);
}

export async function summarise(file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<LogSummary> {
  const counts = { lines: 0, fatal: 0, error: 0, warning: 0, other: 0 };
  const errorsByMinute = new Map<string, number>();
  const groups = new Map<string, Group>();
  let [from, to]: [string | null, string | null] = [null, null];
  let [firstError, lastError]: [LogLine | undefined, LogLine | undefined] = [undefined, undefined];
  for await (const text of lines) {
    if (text.trim() === '') continue;
    const line = parseLine(text);
    counts.lines++;
    counts[line.level]++;
    from ??= line.at ?? null;
    to = line.at ?? to;
    if (line.level === 'other') continue;
    if (line.level !== 'warning') {
      firstError ??= line;
      lastError = line;
      const minute = line.at?.slice(0, 16);
      if (minute !== undefined) errorsByMinute.set(minute, (errorsByMinute.get(minute) ?? 0) + 1);
    }
    addTo(groups, line);
  }
  const [worst] = [...errorsByMinute].sort(([, one], [, other]) => other - one);
  return {
    file,
    lines: counts.lines,
    fatal: counts.fatal,
    errors: counts.error,
    warnings: counts.warning,
    from,
    to,
    firstError: momentOf(firstError),
    lastError: momentOf(lastError),
    worstMinute: worst ? { at: worst[0], errors: worst[1] } : null,
    groups: [...groups.values()].sort((one, other) => other.count - one.count).slice(0, KEPT_GROUPS),
  };
}

type Group = { readonly level: Level; readonly message: string; readonly count: number };

const MOST_GROUPS = 20_000;

/** A log may hold millions of messages that are all different: then those that came only once so far are forgotten. */
function addTo(groups: Map<string, Group>, { level, message: words }: LogLine): void {
  const message = generalised(words);
  const count = (groups.get(message)?.count ?? 0) + 1;
  groups.set(message, { level: groups.get(message)?.level ?? level, message, count });
  if (groups.size <= MOST_GROUPS) return;
  for (const [key, group] of groups) if (group.count === 1 && groups.size > MOST_GROUPS / 2) groups.delete(key);
}

const INSTANT = /\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/;
const NAMES = 'FATAL|CRITICAL|PANIC|EMERG|ERROR|ERR|SEVERE|WARN|WARNING|INFO|NOTICE|DEBUG|TRACE';
const LEVEL = new RegExp(`\\[(?:\\w+:)?(${NAMES})\\]|\\b(?:level=)?(${NAMES})\\b`, 'i');
/** Of a line such as `ts=… level=error msg="it broke"` */
const LOGFMT_MESSAGE = /\bmsg=(?:"((?:[^"\\]|\\.)*)"|(\S+))/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, and what else no report should hold
const NOT_TEXT = /\u001b\[[\d;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g;

/** One line of a log in any of the usual forms. */
export function parseLine(text: string): LogLine {
  const line = text.slice(0, LONGEST_LINE).replace(NOT_TEXT, '');
  const fields = line.startsWith('{') ? jsonLine(line) : undefined;
  if (fields) return fields;
  const instant = INSTANT.exec(line)?.[0];
  const [level = '', ...named] = LEVEL.exec(line) ?? [];
  const [, quoted, bare] = LOGFMT_MESSAGE.exec(line) ?? [];
  const rest = quoted ?? bare ?? line.replace(instant ?? '', '').replace(level, '');
  return {
    at: isoOf(instant),
    level: levelNamed(named.find((name) => name !== undefined)),
    message: rest.replace(/^[\s[\]():|-]+/, '').trim(),
  };
}

function jsonLine(line: string): LogLine | undefined {
  try {
    const json = parseJson(line);
    if (!isObject(json)) return undefined;
    const message = json.msg ?? json.message ?? json.error ?? '';
    return {
      at: isoOf(json.time ?? json.timestamp ?? json.ts),
      level: levelNamed(json.level ?? json.severity),
      message: typeof message === 'string' ? message : JSON.stringify(message),
    };
  } catch {
    return undefined;
  }
}

function isoOf(instant: Json | undefined): string | undefined {
  if (typeof instant !== 'string' && typeof instant !== 'number') return undefined;
  const date = new Date(typeof instant === 'string' ? asIso(instant) : inMillis(instant));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What comes before the time of day may be written with slashes, and a fraction with a comma. */
function asIso(instant: string): string {
  return instant
    .replace(',', '.')
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3')
    .replace(' ', 'T');
}

/** Some loggers count seconds, some milliseconds: as milliseconds, this many are in 1973. */
function inMillis(instant: number): number {
  return Math.abs(instant) < 100_000_000_000 ? instant * 1000 : instant;
}

/** Names, or the numbers of pino and bunyan. */
function levelNamed(level: Json | undefined): Level {
  if (typeof level === 'number')
    return level >= 60 ? 'fatal' : level >= 50 ? 'error' : level >= 40 ? 'warning' : 'other';
  const name = String(level ?? '').toLowerCase();
  if (/^(?:fatal|critical|panic|emerg)/.test(name)) return 'fatal';
  if (/^(?:err|severe)/.test(name)) return 'error';
  return name.startsWith('warn') ? 'warning' : 'other';
}

/** "timeout after 31 ms for user 4711" and "… 29 ms for user 12" are the same trouble. */
function generalised(message: string): string {
  return message
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b(?:0x)?[0-9a-f]{12,}\b/gi, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#')
    .slice(0, 200);
}

function momentOf(line: LogLine | undefined): LogSummary['firstError'] {
  return line ? { at: line.at ?? null, message: line.message.slice(0, 300) } : null;
}
