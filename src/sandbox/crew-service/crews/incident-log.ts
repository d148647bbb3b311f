// The facts of a log about an incident: its errors and warnings, counted.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from '../crew.ts';

type Moment = { readonly at: string | null; readonly message: string };

/** The facts of a log, small enough to hand on. Instants are ISO 8601. */
export type LogSummary = {
  readonly file: string;
  readonly lines: number;
  readonly errors: number;
  readonly warnings: number;
  /** The instants of the first and the last line that have one. */
  readonly from: string | null;
  readonly to: string | null;
  readonly firstError: Moment | null;
  readonly lastError: Moment | null;
  /** Messages that differ only in numbers count as one; the most frequent first. */
  readonly groups: readonly { level: 'error' | 'warning'; message: string; count: number }[];
};

/** The log can't be read; the message says why to the person who named it. */
class LogError extends Error {}

const LARGEST_BYTES = 200 * 1024 * 1024;
const KEPT_GROUPS = 50;
/** Once this many distinct messages have been seen, new ones are not counted separately. */
const MOST_GROUPS = 10_000;

/** Reads a log file line by line. Rejects with `LogError`. */
export async function readLog(file: string, signal: AbortSignal): Promise<LogSummary> {
  if (!isAbsolute(file) || file.includes('\0'))
    throw new LogError(`The log file must be an absolute path, not "${file}".`);
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile()) throw new LogError(`There is no file "${file}" on this machine.`);
  if (stats.size > LARGEST_BYTES)
    throw new LogError(`"${file}" has ${stats.size} bytes; ${LARGEST_BYTES} are the most.`);
  const input = createReadStream(file, { encoding: 'utf8', signal });
  return summarise(file, createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }));
}

export async function summarise(file: string, texts: AsyncIterable<string> | Iterable<string>): Promise<LogSummary> {
  const counts = { lines: 0, error: 0, warning: 0, other: 0 };
  const groups = new Map<string, LogSummary['groups'][number]>();
  let from: string | null = null;
  let to: string | null = null;
  let firstError: LogLine | null = null;
  let lastError: LogLine | null = null;
  for await (const text of texts) {
    if (text.trim() === '') continue;
    const line = parseLine(text);
    counts.lines++;
    counts[line.level]++;
    from ??= line.at;
    to = line.at ?? to;
    if (line.level === 'error') {
      firstError ??= line;
      lastError = line;
    }
    count(groups, line);
  }
  return {
    file,
    lines: counts.lines,
    errors: counts.error,
    warnings: counts.warning,
    from,
    to,
    firstError,
    lastError,
    groups: [...groups.values()].sort((one, other) => other.count - one.count).slice(0, KEPT_GROUPS),
  };
}

/** "timeout after 31 ms for user 4711" and "timeout after 29 ms for user 12" are the same trouble: "timeout after … ms for user …". */
function count(groups: Map<string, LogSummary['groups'][number]>, { level, message: words }: LogLine): void {
  if (level === 'other') return;
  const message = words.replace(/\d+(?:[.,]\d+)*/g, '…').slice(0, 200);
  const group = groups.get(message);
  if (group) group.count++;
  else if (groups.size < MOST_GROUPS) groups.set(message, { level, message, count: 1 });
}

type Level = 'error' | 'warning' | 'other';
type LogLine = {
  /** ISO 8601, where the line has an instant. */
  readonly at: string | null;
  readonly level: Level;
  readonly message: string;
};

const LONGEST_LINE = 500;
const INSTANT = /(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,]\d+)?(Z|[+-]\d{2}:\d{2})?/;
const LEVEL = /\b(?:fatal|critical|panic|error|warn(?:ing)?|info|debug|trace)\b/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours, and what else no report should hold
const NOT_TEXT = /\u001b\[[\d;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** pino's: https://github.com/pinojs/pino/blob/main/docs/api.md#loggerlevels-object */
const pinoLine = z
  .string()
  .transform((line, context) => {
    try {
      return JSON.parse(line);
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ level: z.number(), time: z.number(), msg: z.string() }));

/** One line of a log: text with an instant (UTC where it names no zone) and a level, or pino's JSON. */
export function parseLine(text: string): LogLine {
  const line = text.slice(0, LONGEST_LINE).replace(NOT_TEXT, '');
  const json = pinoLine.safeParse(line).data;
  if (json) return { at: iso(json.time), level: levelOf(json.level), message: json.msg };
  const [instant = '', day, time, zone = 'Z'] = INSTANT.exec(line) ?? [];
  const [level = ''] = LEVEL.exec(line) ?? [];
  const message = line.replace(instant, '').replace(level, '');
  const at = instant === '' ? null : iso(`${day}T${time}${zone}`);
  return { at, level: levelNamed(level), message: message.replace(/^[\s[\]():|-]+/, '') };
}

function iso(instant: string | number): string | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function levelOf(number: number): Level {
  if (number >= 50) return 'error';
  return number >= 40 ? 'warning' : 'other';
}

function levelNamed(name: string): Level {
  if (/^(?:fatal|critical|panic|error)$/i.test(name)) return 'error';
  return /^warn/i.test(name) ? 'warning' : 'other';
}
