import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Entry } from '../../core/ledger/entry.ts';
import type { TreeHead } from '../../core/ledger/merkle-tree.ts';
import type { PolicyConditions } from '../../core/policy/explained.ts';
import { groupBy } from '../../core/values/group-by.ts';
import type { Millis } from '../../core/values/time.ts';
import { deriveSigners, parseCheckpoint, parseVkey } from '../../ledger/checkpoint.ts';
import { webhookKeys } from '../../ledger/sink/webhook.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { readConditions } from '../../redis/ledger/policies.ts';
import type { Foreign } from '../cells.ts';
import { CannotAudit, type LedgerSettings, periodText, timeOf, withRedis } from '../ledger-command.ts';
import type { SlackWords } from '../ledger-environment.ts';
import { eachSealedRun, type Period } from '../sealed-chains.ts';
import { createDecisions, type DecisionFilters, decisionsAsCsv, decisionTable, peopleIn } from './decisions.ts';
import { exportLines, type Filters } from './export.ts';
import { findRuns, findThreads, type RunName, type Thread } from './find-runs.ts';
import type { EntryLine } from './lines.ts';
import { readLines, summaryText, verifyExport } from './verify/export.ts';

// The commands of `npm run audit`.

interface AuditOptions {
  settings: LedgerSettings;
  /** Returns the story of a run in lines. */
  story: (entries: readonly Entry[], conditions: PolicyConditions) => Promise<string[]>;
  /** Asks Slack for names and links. */
  words: (ids: readonly string[]) => Promise<SlackWords>;
  /** Returns the id of the person in `--by`. */
  personOf: (text: string) => Promise<string>;
  foreign: Foreign;
  /** Takes a sentence about the answer that isn't part of it. */
  remark: (text: string) => void;
  /** Resolves when more may be written. */
  write: (text: string) => Promise<void>;
  now: number;
}

/** Carries out `npm run audit`. Resolves to 1 if an export isn't what it should be. @throws {CannotAudit} */
export async function audit(command: AuditCommand, options: AuditOptions): Promise<0 | 1> {
  const { settings, write } = options;
  switch (command.kind) {
    case 'export':
      return exportAll(command, options);
    case 'who':
      return withRedis(settings, (redis) => tell(redis, command.run, options));
    case 'decisions':
      return listDecisions(command, options);
    case 'key':
      for (const { vkey } of deriveSigners(settings.secrets())) await write(`${vkey}\n`);
      return 0;
    case 'sink-key':
      for (const key of webhookKeys(settings.secrets())) await write(`${key}\n`);
      return 0;
    case 'verify':
      return verifyFile(command, write);
  }
}

async function exportAll(
  { filters, after }: Extract<AuditCommand, { kind: 'export' }>,
  { settings, write, now }: AuditOptions,
): Promise<0> {
  const [signers, auditDays] = [deriveSigners(settings.secrets()), settings.auditDays()];
  const note = after === null ? null : await readNote(after);
  return withRedis<0>(settings, async (redis) => {
    for await (const line of exportLines(redis, { signers, auditDays, filters, after: note, now })) await write(line);
    return 0;
  });
}

async function tell(redis: RedisClient, runOrLink: string, { story, write }: AuditOptions): Promise<0> {
  const entries = await findEntries(redis, runOrLink);
  const conditions = await readConditions(redis, entries);
  const lines = entries.length > 0 ? await story(entries, conditions) : ['Nothing has been asked in this run yet.'];
  await write(`${lines.join('\n')}\n`);
  return 0;
}

/** Returns the entries of a run; none if it has none. @throws {CannotAudit} */
async function findEntries(redis: RedisClient, runOrLink: string): Promise<Entry[]> {
  const thread = parseThreadLink(runOrLink);
  if (thread === 'none')
    throw new CannotAudit('This is no link to a message. In Slack, it is "Copy link" in the message\'s menu.');
  const own = thread === null ? await readChain(redis, runOrLink) : [];
  if (own.length > 0) return own;
  const refs = await findRuns(redis, thread ?? { kind: 'id', id: runOrLink });
  const [ref] = refs;
  if (refs.length > 1) {
    const several = thread === null ? 'Several runs have this kickoff id' : 'Several things were asked in this thread';
    throw new CannotAudit(`${several}: ${refs.join(', ')}. Give one of these.`);
  }
  if (ref === undefined) throw new CannotAudit(thread === null ? UNKNOWN_RUN : UNKNOWN_THREAD);
  return readChain(redis, ref);
}

const UNKNOWN_RUN =
  'The ledger has no run with this reference or kickoff id: it is unknown, or its entries have expired.';
const UNKNOWN_THREAD =
  "The ledger has no run with this thread: it isn't the thread of a run, or its entries have expired.";

/** Lists the decisions of the ledger, or of an export. */
async function listDecisions(
  { filters, file, form }: Extract<AuditCommand, { kind: 'decisions' }>,
  options: AuditOptions,
): Promise<0 | 1> {
  const { write, words, foreign } = options;
  const by = filters.by === null ? null : await options.personOf(filters.by);
  const collection = createDecisions({ ...filters, by });
  const threads = file === null ? await addLedger(collection, { period: filters, options }) : new Map<string, Thread>();
  const problem = file === null ? null : await addExport(collection, file);
  if (problem !== null) {
    await write(problem);
    return 1;
  }
  const decisions = collection.chosen();
  const { nameOf, linkTo } = await words(peopleIn(decisions));
  const linkOf = (ref: string) => {
    const thread = threads.get(ref);
    return thread && linkTo ? linkTo(thread.channel, thread.ts) : null;
  };
  if (form === 'csv') await write(decisionsAsCsv(decisions, { nameOf, linkOf }));
  else if (decisions.length === 0) await write(`Nothing was decided${periodText(filters)}.\n`);
  else await write(`${decisionTable(decisions, { nameOf, linkOf }, foreign).join('\n')}\n`);
  return 0;
}

type Decisions = ReturnType<typeof createDecisions>;

/** Adds the decisions in the ledger. Resolves to the known threads of their runs. */
function addLedger(
  decisions: Decisions,
  { period, options: { settings, remark, now } }: { period: Period; options: AuditOptions },
): Promise<Map<string, Thread>> {
  const options = { signers: deriveSigners(settings.secrets()), auditDays: settings.auditDays(), now };
  return withRedis(settings, async (redis) => {
    await eachSealedRun(redis, { period, options }, { add: decisions.add, remark });
    return findThreads(redis, new Set(decisions.chosen().map(({ ref }) => ref)));
  });
}

/** Returns a line about what is wrong with the export; null if nothing is. */
async function addExport(decisions: Decisions, file: string): Promise<string | null> {
  const outcome = await verifyExport(await openFile(file), { key: null, after: null });
  if (outcome.kind === 'wrong') return problemLine(outcome.problem);
  const entries: EntryLine[] = [];
  for await (const { line } of readLines(await openFile(file)))
    if (typeof line === 'object' && 'kind' in line) entries.push(line);
  for (const [ref, run] of groupBy(entries, (entry) => entry.ref)) decisions.add(ref, run);
  return null;
}

/**
 * Returns the thread of a link in any workspace; null if it isn't a link. A reply's link names the first message of its thread.
 * https://docs.slack.dev/reference/methods/chat.getPermalink
 */
function parseThreadLink(text: string): RunName | 'none' | null {
  if (!/^https?:\/\//.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, channel, seconds, micros] = /\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})\/?$/.exec(url?.pathname ?? '') ?? [];
  if (!url || !channel) return 'none';
  return { kind: 'thread', channel, ts: url.searchParams.get('thread_ts') ?? `${seconds}.${micros}` };
}

async function verifyFile(
  { file, key, after }: Extract<AuditCommand, { kind: 'verify' }>,
  write: AuditOptions['write'],
): Promise<0 | 1> {
  const verifier = key === null ? null : parseVkey(key);
  if (key !== null && !verifier)
    throw new CannotAudit('--key must be one of the lines that `npm run audit -- key` prints.');
  const head = after === null ? null : await readCheckpoint(after);
  const outcome = await verifyExport(await openFile(file), { key: verifier, after: head });
  if (outcome.kind === 'wrong') {
    await write(problemLine(outcome.problem));
    return 1;
  }
  await write(`${summaryText(outcome.summary, verifier ? 'given' : 'own').join('\n')}\n`);
  return 0;
}

function problemLine({ line, text }: { line: number; text: string }): string {
  return `line ${line}: ${text}\n`;
}

/** Any key may have signed it: an export continues only a checkpoint of its own ledger. */
async function readCheckpoint(file: string): Promise<TreeHead> {
  const checkpoint = parseCheckpoint(await readNote(file), []);
  if (!checkpoint) throw new CannotAudit(`${file} is not a checkpoint.`);
  return checkpoint.head;
}

/** A note copied from a message may have lost its last line break. */
async function readNote(file: string): Promise<string> {
  try {
    return `${(await readFile(file, 'utf8')).trim().replaceAll('\r\n', '\n')}\n`;
  } catch {
    throw new CannotAudit(`${file} can't be read.`);
  }
}

async function openFile(file: string): Promise<AsyncIterable<Buffer>> {
  const stream = createReadStream(file);
  await new Promise((opened, failed) => {
    stream.once('open', opened);
    stream.once('error', () => failed(new CannotAudit(`${file} can't be read.`)));
  });
  return stream;
}

/** A parsed `npm run audit`. */
type AuditCommand =
  | { kind: 'export'; filters: Filters; after: string | null }
  | { kind: 'verify'; file: string; key: string | null; after: string | null }
  | { kind: 'who'; run: string }
  | { kind: 'decisions'; filters: DecisionFilters; file: string | null; form: 'text' | 'csv' }
  | { kind: 'key' | 'sink-key' };

/** The options of `npm run audit`. */
export const AUDIT_OPTIONS = {
  since: { type: 'string' },
  until: { type: 'string' },
  crew: { type: 'string' },
  ref: { type: 'string' },
  after: { type: 'string' },
  key: { type: 'string' },
  by: { type: 'string' },
  task: { type: 'string' },
  csv: { type: 'boolean' },
} as const;

interface AuditArguments {
  values: { readonly [Name in Exclude<keyof typeof AUDIT_OPTIONS, 'csv'>]?: string | undefined } & {
    readonly csv?: boolean | undefined;
  };
  positionals: readonly string[];
}

/** Returns null if words and options don't fit together. @throws {CannotAudit} */
export function parseAuditCommand({ values, positionals }: AuditArguments, now: Millis): AuditCommand | null {
  const [kind = '', argument, ...rest] = positionals;
  const options = Object.keys(values);
  const fits = (allowed: readonly string[], isNamed: 'named' | 'bare' | 'either') =>
    rest.length === 0 &&
    (isNamed === 'either' || (argument !== undefined) === (isNamed === 'named')) &&
    options.every((name) => allowed.includes(name));
  const { crew = null, ref = null, after = null, key = null, by = null, task = null } = values;
  const period = () => ({ since: timeOf('since', values.since, now), until: timeOf('until', values.until, now) });
  if (kind === 'export' && fits(['since', 'until', 'crew', 'ref', 'after'], 'bare'))
    return { kind, filters: { ...period(), crew, ref }, after };
  if (kind === 'verify' && argument !== undefined && fits(['key', 'after'], 'named'))
    return { kind, file: argument, key, after };
  if (kind === 'who' && argument !== undefined && fits([], 'named')) return { kind, run: argument };
  if (kind === 'decisions' && fits(['since', 'until', 'crew', 'task', 'by', 'csv'], 'either'))
    return {
      kind,
      filters: { ...period(), crew, task, by },
      file: argument ?? null,
      form: values.csv ? 'csv' : 'text',
    };
  if ((kind === 'key' || kind === 'sink-key') && fits([], 'bare')) return { kind };
  return null;
}
