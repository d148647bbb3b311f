import { parseArgs } from 'node:util';
import type { Filters } from './export/selection.ts';

/** What `npm run audit` is asked to do. */
export type AuditCommand =
  | { kind: 'export'; filters: Filters; after: string | null }
  | { kind: 'verify'; file: string; key: string | null; after: string | null }
  | { kind: 'who'; ref: string }
  | { kind: 'key' };

/** Thrown with one line that says what to do. */
export class CannotAudit extends Error {
  override name = 'CannotAudit';
}

const USAGE = `Usage: npm run audit -- export [--since D] [--until D] [--crew C] [--ref R] [--after CHECKPOINT]
                        verify FILE [--key K] [--after CHECKPOINT]
                        who REF
                        key`;

const OPTIONS = {
  since: { type: 'string' },
  until: { type: 'string' },
  crew: { type: 'string' },
  ref: { type: 'string' },
  after: { type: 'string' },
  key: { type: 'string' },
} as const;

/** @throws {CannotAudit} */
export function parseAuditCommand(args: readonly string[]): AuditCommand {
  const { values, positionals } = parse(args);
  const [kind = '', argument, ...rest] = positionals;
  const options = Object.keys(values);
  const fits = (allowed: readonly string[], isNamed: 'named' | 'bare') =>
    rest.length === 0 &&
    (argument !== undefined) === (isNamed === 'named') &&
    options.every((name) => allowed.includes(name));
  const { since, until, crew = null, ref = null, after = null, key = null } = values;
  if (kind === 'export' && fits(['since', 'until', 'crew', 'ref', 'after'], 'bare'))
    return { kind, filters: { since: timeOf('since', since), until: timeOf('until', until), crew, ref }, after };
  if (kind === 'verify' && argument !== undefined && fits(['key', 'after'], 'named'))
    return { kind, file: argument, key, after };
  if (kind === 'who' && argument !== undefined && fits([], 'named')) return { kind, ref: argument };
  if (kind === 'key' && fits([], 'bare')) return { kind };
  throw new CannotAudit(USAGE);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch {
    throw new CannotAudit(USAGE);
  }
}

/** https://www.iso.org/iso-8601-date-and-time-format.html, in UTC unless it says otherwise. */
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function timeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const hasZone = !text.includes('T') || /(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = DATE.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time))
    throw new CannotAudit(`--${name} must be a date or time such as 2026-11-22 or 2026-11-22T09:30Z.`);
  return time;
}
