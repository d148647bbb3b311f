import type { LedgerEvent, VoteFacts } from '../../core/ledger/entry.ts';
import { groupBy } from '../../core/values/group-by.ts';
import { oneLine } from '../../core/values/text.ts';
import type { Millis } from '../../core/values/time.ts';
import { csvLines, type Foreign, fitted, textCell, widthOf } from '../cells.ts';
import { CannotAudit } from '../ledger-command.ts';
import type { SlackWords } from '../ledger-environment.ts';
import { type Outcome, outcomesOf } from '../outcomes.ts';
import type { Period } from '../sealed-chains.ts';

// `npm run audit -- decisions`: a line for each decision that stands, for a terminal or as CSV.

/** Filters; null for all. */
export interface DecisionFilters extends Period {
  crew: string | null;
  /** Name or id of a task. */
  task: string | null;
  /** Id of a person who decided, or whose approval counted. */
  by: string | null;
}

/** A decision of people, or an expiry. */
export interface Decision extends Pick<Outcome, 'crew' | 'task' | 'round'> {
  ref: string;
  at: Millis;
  verdict: 'approved' | 'approved with edits' | 'rejected' | 'declined' | 'expired';
  /** The chosen outcome, if the request has outcomes. */
  outcome: string | null;
  /** People who approved before, in order, then the person who completed it; nobody if it expired. */
  by: readonly VoteFacts[];
}

const VERDICTS = { approve: 'approved', reject: 'rejected', decline: 'declined' } as const;

/** Collects the decisions of whole runs in any order, and returns the chosen ones, oldest first. */
export function createDecisions({ since, until, crew, task, by }: DecisionFilters) {
  const all: Decision[] = [];
  const seen = { crews: new Set<string>(), tasks: new Set<string>() };
  const isInTime = ({ at }: Decision) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY);
  return {
    add(ref: string, run: readonly LedgerEvent[]): void {
      for (const decision of decisionsIn(ref, run).filter(isInTime)) {
        seen.crews.add(decision.crew);
        if (crew !== null && !isSame(crew, decision.crew)) continue;
        seen.tasks.add(taskOf(decision));
        if (task !== null && !isSame(task, taskOf(decision)) && task !== decision.task.id) continue;
        if (by === null || decision.by.some((vote) => vote.by === by)) all.push(decision);
      }
    },
    /** Returns the chosen decisions. @throws {CannotAudit} if a filter fits no decision at all, because it may be a slip */
    chosen(): Decision[] {
      if (crew !== null && ![...seen.crews].some((each) => isSame(crew, each)))
        throw new CannotAudit(nothingOf('crew', crew, seen.crews));
      if (task !== null && ![...seen.tasks].some((each) => isSame(task, each)) && all.length === 0)
        throw new CannotAudit(nothingOf('task', task, seen.tasks));
      return all.sort((one, other) => one.at - other.at || (one.ref < other.ref ? -1 : 1));
    },
  };
}

function decisionsIn(ref: string, run: readonly LedgerEvent[]): Decision[] {
  return outcomesOf(run).flatMap(({ crew, task, round, decision, expiredAt }): Decision[] => {
    const about = { ref, crew, task, round };
    if (decision !== null) {
      const { at, outcome = null, by, votes, isEdited } = decision;
      const verdict = isEdited ? 'approved with edits' : VERDICTS[decision.verdict];
      return [{ ...about, at, verdict, outcome, by: [...votes, by] }];
    }
    return expiredAt === null ? [] : [{ ...about, at: expiredAt, verdict: 'expired', outcome: null, by: [] }];
  });
}

function taskOf({ task }: Pick<Outcome, 'task'>): string {
  return task.name ?? task.id;
}

/** Compares names as people type them, without case and outer spaces. */
function isSame(typed: string, name: string): boolean {
  return oneLine(typed).toLowerCase() === oneLine(name).toLowerCase();
}

const MOST_LISTED = 20;

function nothingOf(what: 'crew' | 'task', name: string, seen: ReadonlySet<string>): string {
  const names = [...seen]
    .sort()
    .slice(0, MOST_LISTED)
    .map((name) => oneLine(name));
  const others = names.length === 0 ? '' : ` There are decisions of: ${names.join(', ')}`;
  return `Nothing of the ${what} ${oneLine(name)} was decided in this time.${others}`;
}

interface Written {
  nameOf: SlackWords['nameOf'];
  /** Returns a link to the thread of a run; null if unknown. */
  linkOf: (ref: string) => string | null;
}

/** UTF-16 units. Practically no limit, because every person matters. */
const MOST_PEOPLE = 1_000;

/** Returns a heading and a line for each decision. The last column has the thread, or the ref for `audit -- who`. */
export function decisionTable(decisions: readonly Decision[], { nameOf, linkOf }: Written, foreign: Foreign): string[] {
  const name = distinctNames(decisions, nameOf);
  const columns: [heading: string, most: number, cell: (decision: Decision) => string][] = [
    ['when (UTC)', 16, ({ at }) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')],
    ['crew', 24, ({ crew }) => crew],
    ['task', 32, taskOf],
    ...(decisions.some(({ round }) => round > 1)
      ? [['round', 5, ({ round }) => String(round)] satisfies (typeof columns)[number]]
      : []),
    ['verdict', 40, ({ verdict, outcome }) => (outcome === null ? verdict : `${verdict}: ${outcome}`)],
    ['by', MOST_PEOPLE, ({ by }) => (by.length === 0 ? 'nobody' : by.map((vote) => whoText(vote, name)).join(', '))],
  ];
  const cells = columns.map(([heading, most, cell]) => {
    const texts = [heading, ...decisions.map((decision) => fitted(cell(decision), most, foreign))];
    // `Math.max` with so many arguments would overflow the stack.
    const width = texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0);
    return texts.map((text) => text + ' '.repeat(width - widthOf(text)));
  });
  const places = ['thread or run', ...decisions.map(({ ref }) => linkOf(ref) ?? ref)];
  return places.map((place, i) => [...cells.map((column) => column[i]), place].join('  '));
}

/** Returns the decisions as CSV, with ids beside the names. */
export function decisionsAsCsv(decisions: readonly Decision[], { nameOf, linkOf }: Written): string {
  const lines = decisions.map(({ at, crew, task, round, verdict, outcome, by, ref }) => [
    new Date(at).toISOString(),
    textCell(crew),
    textCell(taskOf({ task })),
    String(round),
    verdict,
    textCell(outcome),
    textCell(by.map((vote) => whoText(vote, nameOf)).join('; ')),
    textCell(by.map((vote) => whoText(vote, (id) => id)).join('; ')),
    ref,
    textCell(linkOf(ref)),
  ]);
  return csvLines([['at', 'crew', 'task', 'round', 'verdict', 'outcome', 'by', 'by_ids', 'ref', 'thread'], ...lines]);
}

/** Returns the ids of all people in the decisions. */
export function peopleIn(decisions: readonly Decision[]): string[] {
  const votes = decisions.flatMap(({ by }) => by);
  return [...new Set(votes.flatMap((vote) => [vote.by, ...(vote.for ? [vote.for.by] : [])]))];
}

/** Returns a person's name, and the name of the person whose right they used. */
function whoText(vote: VoteFacts, name: SlackWords['nameOf']): string {
  return vote.for ? `${name(vote.by)} for ${name(vote.for.by)}` : name(vote.by);
}

/** Returns a function for names, which adds the id if people share the name, or if it could be read as several. */
function distinctNames(decisions: readonly Decision[], nameOf: SlackWords['nameOf']): SlackWords['nameOf'] {
  const people = groupBy(peopleIn(decisions), (id) => oneLine(nameOf(id)).toLowerCase());
  return (id) => {
    const name = oneLine(nameOf(id));
    return name.includes(',') || (people.get(name.toLowerCase())?.length ?? 0) > 1 ? `${name} (${id})` : name;
  };
}
