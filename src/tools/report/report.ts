import type { LedgerEvent } from '../../core/ledger/entry.ts';
import { DAY_MS, type Millis, parseDuration } from '../../core/values/time.ts';
import { deriveSigners } from '../../ledger/checkpoint.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { crewChain } from '../../redis/ledger/policies.ts';
import type { Foreign } from '../cells.ts';
import { CannotAudit, type LedgerSettings, periodText, timeOf, utc, withRedis } from '../ledger-command.ts';
import { eachSealedRun } from '../sealed-chains.ts';
import { createDays } from './days.ts';
import { createSummary, type Row } from './summary.ts';
import { csvTable, textTable } from './tables.ts';

// `npm run report`: the requests of a period and their outcomes, from the sealed ledger.

interface ReportOptions {
  settings: LedgerSettings;
  foreign: Foreign;
  /** Returns the names of user groups by id. */
  namesOf: (ids: readonly string[]) => Promise<(id: string) => string>;
  /** Resolves when more may be written. */
  write: (text: string) => Promise<void>;
  /** @throws {CannotAudit} if it can't be written */
  writeFile: (file: string, text: string) => Promise<void>;
  /** Takes a sentence about the report that isn't part of it. */
  remark: (text: string) => void;
  now: Millis;
}

/** Target for a page without `--sla`. */
const USUAL_SLA_MS = DAY_MS;

/** Carries out `npm run report`. @throws {CannotAudit} with one sentence */
export async function report(command: ReportCommand, options: ReportOptions): Promise<void> {
  const { form, sla } = command;
  const { foreign, write, remark, now } = options;
  if (form === 'html') return writePage(command, options);
  const rows = await readRows(command, options);
  const nothing = `No requests were asked${periodText(command)}.`;
  switch (form) {
    case 'csv':
      if (rows.length === 0) remark(nothing);
      return write(csvTable(rows, sla !== null));
    case 'text': {
      const heading = [`Requests asked${periodText(command)}`, `As of ${utc(now)}`, ''];
      const lines = rows.length === 0 ? [nothing] : [...heading, ...textTable(rows, sla?.text ?? null, foreign)];
      return write(`${lines.join('\n')}\n`);
    }
  }
}

/** Writes the page of a report into its file. The packages for plots are loaded only here, because nothing else needs them. */
async function writePage(command: ReportCommand, options: ReportOptions): Promise<void> {
  const { since, until, crew, sla, file } = command;
  const { foreign, writeFile, remark, now } = options;
  const { reportPage } = await import('./page.ts');
  const slaMs = sla?.ms ?? USUAL_SLA_MS;
  const days = createDays({ since, until: until ?? now }, { crew, slaMs });
  const rows = await readRows({ ...command, sla: { ms: slaMs, text: '' } }, options, days.add);
  const figures = { unit: days.unit, days: days.days(), expired: days.expired() };
  await writeFile(file, reportPage({ period: periodText(command), crew, slaMs, rows, now, ...figures }, foreign));
  remark(`The report is in ${file}.`);
}

/** Adds up the requests in the ledger. @param also receives each run, too */
function readRows(
  { since, until, crew, sla }: ReportCommand,
  { settings, namesOf, remark, now }: ReportOptions,
  also: (ref: string, run: readonly LedgerEvent[]) => void = () => {},
): Promise<Row[]> {
  const [signers, auditDays] = [deriveSigners(settings.secrets()), settings.auditDays()];
  const period = { since, until };
  return withRedis(settings, async (redis) => {
    const summary = createSummary(period);
    const options = { signers, auditDays, now };
    const add = (ref: string, run: readonly LedgerEvent[]) => {
      summary.add(run);
      also(ref, run);
    };
    await eachSealedRun(redis, { period, options }, { add, remark });
    const crews = summary.crews();
    if (crew !== null && !crews.includes(crew) && !(await hasChain(redis, crew)))
      throw new CannotAudit(unknownCrew(crew, crews));
    return summary.rows({ crew, slaMs: sla?.ms ?? null, nameOf: await namesOf(summary.groupIds()) });
  });
}

/** Returns true for every crew that a bot was ever started with. */
async function hasChain(redis: Parameters<typeof readChain>[0], crew: string): Promise<boolean> {
  return (await readChain(redis, crewChain(crew))).length > 0;
}

function unknownCrew(crew: string, names: readonly string[]): string {
  const crews = names.length === 0 ? '' : ` Those that have asked in this time are: ${names.join(', ')}`;
  return `The ledger has no crew ${crew}.${crews}`;
}

/** A parsed `npm run report`. */
interface ReportCommand {
  since: Millis;
  /** Excluded end; null for now. */
  until: Millis | null;
  /** Null for all crews. */
  crew: string | null;
  /** Target for decisions, also as typed; null for none. */
  sla: { ms: Millis; text: string } | null;
  form: 'text' | 'csv' | 'html';
  /** File of the page; empty without one. */
  file: string;
}

export const REPORT_OPTIONS = {
  since: { type: 'string' },
  until: { type: 'string' },
  crew: { type: 'string' },
  sla: { type: 'string' },
  csv: { type: 'boolean' },
  html: { type: 'string' },
} as const;

type ReportArguments = { readonly [Name in 'since' | 'until' | 'crew' | 'sla' | 'html']?: string | undefined } & {
  readonly csv?: boolean | undefined;
};

/** @throws {CannotAudit} */
export function parseReportCommand({ crew, csv, sla, html, ...period }: ReportArguments, now: Millis): ReportCommand {
  const [since, until] = [timeOf('since', period.since, now), timeOf('until', period.until, now)];
  if (since === null)
    throw new CannotAudit(
      '--since is missing: a date or time such as 2026-11-22, or how long ago that was, such as 30d.',
    );
  if (until !== null && until <= since) throw new CannotAudit('--until must be later than --since.');
  const command = { since, until, crew: crew ?? null, sla: slaOf(sla), file: html ?? '' };
  if (html === undefined) return { ...command, form: csv === true ? 'csv' : 'text' };
  if (csv === true) throw new CannotAudit('Give --csv or --html, not both.');
  if (html === '') throw new CannotAudit('--html must name the file that the page goes to, such as report.html.');
  return { ...command, form: 'html' };
}

function slaOf(text: string | undefined): ReportCommand['sla'] {
  if (text === undefined) return null;
  const ms = parseDuration(text) ?? 0;
  if (ms === 0) throw new CannotAudit('--sla must be a time from 1s to 365d, such as 30m, 4h or 3d.');
  return { ms, text };
}
