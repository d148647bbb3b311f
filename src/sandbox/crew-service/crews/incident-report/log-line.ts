import { z } from 'zod';
import { jsonIn } from '../../json.ts';

type Level = 'error' | 'warning' | 'other';
export type LogLine = {
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
const jsonLine = z.object({ level: z.number(), time: z.number(), msg: z.string() });

/** One line of a log: text with an instant (UTC where it names no zone) and a level, or pino's JSON. */
export function parseLine(text: string): LogLine {
  const line = text.slice(0, LONGEST_LINE).replace(NOT_TEXT, '');
  const json = jsonLine.safeParse(jsonIn(line)).data;
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
