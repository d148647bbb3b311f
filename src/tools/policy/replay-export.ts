// `npm run policy -- replay`: finds decisions of an export that other rules would not have allowed.

import type { LedgerFacts } from '../../core/ledger/entry.ts';
import type { Crew } from '../../core/policy/crew.ts';
import type { CrewPolicy } from '../../core/policy/policy.ts';
import { shortened } from '../../core/values/cut.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { oneLine } from '../../core/values/text.ts';
import type { Millis } from '../../core/values/time.ts';
import type { EntryLine } from '../audit/lines.ts';
import { addPolicy, readLines, verifyExport } from '../audit/verify/export.ts';
import { type Requests, replay } from '../audit/verify/replay.ts';
import { type Judgement, judgePast } from './past-decision.ts';

/** Lines for decisions that the rules would not have allowed, or that can't be judged, and a summary. */
interface Replayed {
  text: string;
  notAllowed: number;
}

/**
 * Judges people's decisions in an export by the rules of these crews. Refuses with the first wrong line: one that can't be read,
 * or one that fails verification, if that is asked for.
 * @param open opens the file, once for each time that it is read
 */
export async function replayExport(
  open: () => AsyncIterable<Buffer>,
  { crews, isVerified }: { crews: readonly Crew[]; isVerified: boolean },
): Promise<Result<Replayed, string>> {
  if (isVerified) {
    const outcome = await verifyExport(open(), { key: null, after: null });
    if (outcome.kind === 'wrong') return refuse(`line ${outcome.problem.line}: ${outcome.problem.text}`);
  }
  const policies = new Map<string, CrewPolicy>();
  const runs = new Map<string, Run>();
  const judged: Judged[] = [];
  for await (const { number, line } of readLines(open())) {
    if (typeof line === 'string') return refuse(`line ${number}: ${line}`);
    if ('policy' in line) {
      const problem = addPolicy(policies, line);
      if (problem !== null) return refuse(`line ${number}: ${problem}`);
    }
    if (!('kind' in line)) continue;
    const run = runs.get(line.ref) ?? newRun(line);
    runs.set(line.ref, run);
    if (line.kind === 'decided' && line.facts.by !== null) judged.push(judge(run, line, crews));
    follow(run, line, policies);
  }
  return ok({
    text: [...judged.flatMap(lineOf), summary(judged)].join('\n'),
    notAllowed: count(judged, 'not-allowed'),
  });
}

/** The state of a run after the entries so far. */
interface Run {
  requests: Requests;
  /** The time of each request and of each person's last approval, by request id. */
  times: Map<string, { askedAt: Millis; votedAt: Map<string, Millis> }>;
  /** Reason why the run can't be followed; null if it can. */
  broken: string | null;
}

function newRun({ seq }: EntryLine): Run {
  return { requests: new Map(), times: new Map(), broken: seq === 1 ? null : 'its first entries have expired' };
}

function follow(run: Run, entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): void {
  const { kind, at, facts } = entry;
  if (kind === 'asked') run.times.set(facts.approval, { askedAt: at, votedAt: new Map() });
  if (kind === 'voted') run.times.get(facts.approval)?.votedAt.set(facts.by, at);
  const problem = replay(run.requests, entry, policies);
  if (problem !== null) run.broken ??= `an entry of its run ${problem}`;
}

interface Judged {
  entry: Extract<EntryLine, { kind: 'decided' }>;
  /** Returns null if it isn't known. */
  asked: LedgerFacts['asked'] | null;
  judgement: Judgement;
}

function judge(run: Run, entry: Judged['entry'], crews: readonly Crew[]): Judged {
  const { at, facts } = entry;
  const request = run.requests.get(facts.approval);
  const times = run.times.get(facts.approval);
  const asked = request?.asked ?? null;
  const unknown = (why: string): Judged => ({ entry, asked, judgement: { kind: 'unknown', why } });
  if (run.broken !== null) return unknown(run.broken);
  const { by } = facts;
  if (!request || !times || !by) return unknown('nothing tells what was asked');
  const crew = crews.find(({ name }) => name === request.asked.crew);
  if (!crew) return unknown(`the crews file has no crew ${request.asked.crew}`);
  return { entry, asked, judgement: judgePast(crew, { request, at, decided: { ...facts, by }, ...times }) };
}

const NAME_LENGTH = 60;
const VERDICTS = { approve: 'approved', reject: 'rejected', decline: 'declined' } as const;
const JUDGEMENTS = { 'not-allowed': 'not allowed', unknown: 'can’t tell' } as const;

/** Returns a line with time, run, crew, task, person and reason; nothing for an allowed decision. */
function lineOf({ entry: { at, ref, facts }, asked, judgement }: Judged): string[] {
  if (judgement.kind === 'allowed') return [];
  const name = oneLine(asked?.task.name ?? asked?.task.id ?? '?');
  const task = name.length > NAME_LENGTH ? shortened(name, NAME_LENGTH) : name;
  const who = [...facts.votes, ...(facts.by ? [facts.by] : [])].map(({ by }) => by).join(', ');
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  const columns = [time, ref, asked?.crew ?? '?', task, `${VERDICTS[facts.verdict]} by ${who}`];
  return [[...columns, `${JUDGEMENTS[judgement.kind]}: ${judgement.why}`].join('  ')];
}

function summary(judged: readonly Judged[]): string {
  const all = `${judged.length} decision${judged.length === 1 ? '' : 's'} of people`;
  return `${all}: ${count(judged, 'allowed')} allowed by these rules, ${count(judged, 'not-allowed')} not allowed, of ${count(judged, 'unknown')} nobody can tell.`;
}

function count(judged: readonly Judged[], kind: Judgement['kind']): number {
  return judged.filter(({ judgement }) => judgement.kind === kind).length;
}
