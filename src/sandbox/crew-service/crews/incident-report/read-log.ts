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
  const errors: LogLine[] = [];
  const groups = new Map<string, { level: Level; message: string; count: number }>();
  let [from, to]: [string | null, string | null] = [null, null];
  for await (const text of lines) {
    if (text.trim() === '') continue;
    const line = parseLine(text);
    counts.lines++;
    counts[line.level]++;
    from ??= line.at ?? null;
    to = line.at ?? to;
    if (line.level === 'other') continue;
    if (line.level !== 'warning') errors.push(line);
    const message = generalised(line.message);
    const known = groups.get(message) ?? { level: line.level, message, count: 0 };
    groups.set(message, { ...known, count: known.count + 1 });
  }
  return {
    file,
    lines: counts.lines,
    fatal: counts.fatal,
    errors: counts.error,
    warnings: counts.warning,
    from,
    to,
    firstError: momentOf(errors.at(0)),
    lastError: momentOf(errors.at(-1)),
    worstMinute: worstMinuteOf(errors),
    groups: [...groups.values()].sort((one, other) => other.count - one.count).slice(0, KEPT_GROUPS),
  };
}

const INSTANT = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?/;
const LEVEL = /\b(FATAL|CRITICAL|PANIC|EMERG|ERROR|ERR|SEVERE|WARN|WARNING|INFO|NOTICE|DEBUG|TRACE)\b/i;

/** One line of a log in any of the usual forms. */
export function parseLine(text: string): LogLine {
  const line = text.slice(0, LONGEST_LINE);
  const fields = line.startsWith('{') ? jsonLine(line) : undefined;
  if (fields) return fields;
  const instant = INSTANT.exec(line)?.[0];
  const level = LEVEL.exec(line)?.[0];
  const rest = line.replace(instant ?? '', '').replace(level ?? '', '');
  return { at: isoOf(instant), level: levelNamed(level), message: rest.replace(/^[\s[\]():|-]+/, '').trim() };
}

function jsonLine(line: string): LogLine | undefined {
  try {
    const json = parseJson(line);
    if (!isObject(json)) return undefined;
    const message = json.msg ?? json.message ?? json.error ?? '';
    return {
      at: isoOf(json.time ?? json.timestamp ?? json.ts),
      level: levelNamed(json.level ?? json.severity),
      message: String(message),
    };
  } catch {
    return undefined;
  }
}

function isoOf(instant: Json | undefined): string | undefined {
  if (typeof instant !== 'string' && typeof instant !== 'number') return undefined;
  const date = new Date(typeof instant === 'string' ? instant.replace(',', '.').replace(' ', 'T') : instant);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
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
    .replace(/\d+(?:\.\d+)*/g, '#')
    .slice(0, 200);
}

function momentOf(line: LogLine | undefined): LogSummary['firstError'] {
  return line ? { at: line.at ?? null, message: line.message.slice(0, 300) } : null;
}

function worstMinuteOf(errors: readonly LogLine[]): LogSummary['worstMinute'] {
  const counts = new Map<string, number>();
  for (const { at } of errors)
    if (at !== undefined) counts.set(at.slice(0, 16), (counts.get(at.slice(0, 16)) ?? 0) + 1);
  const [worst] = [...counts].sort(([, one], [, other]) => other - one);
  return worst ? { at: worst[0], errors: worst[1] } : null;
}
