import type { LedgerEvent } from '../../core/ledger/entry.ts';
import { parseApprover } from '../../core/policy/policy.ts';
import { groupBy } from '../../core/values/group-by.ts';
import type { Millis } from '../../core/values/time.ts';
import { type Outcome, outcomesOf } from '../outcomes.ts';
import type { Period } from '../sealed-chains.ts';

// Adds up the requests of a period by crew, task and approver group.

/** A line of the report about a crew, a task, or everything; or about one group within a task or everything. */
export interface Row extends Figures {
  level: 'total' | 'crew' | 'task' | 'approvers';
  /** Null for all crews. */
  crew: string | null;
  task: string | null;
  approvers: string | null;
}

interface Figures {
  asked: number;
  /** Decided by people, including declines. */
  decided: number;
  /** Number of these within the target; null without one. */
  inTarget: number | null;
  /** Time from request to decision; null if nothing was decided. */
  medianMs: Millis | null;
  p95Ms: Millis | null;
  expired: number;
  /** Number of declines. */
  declined: number;
  /** Average number of requests that settled a task; null if none was settled. */
  rounds: number | null;
}

export interface Summary {
  /** @param run all events of one run, oldest first */
  add(run: readonly LedgerEvent[]): void;
  /** Returns the crews that asked in the period. */
  crews(): string[];
  /** Returns the ids of the user groups by whose right people decided. */
  groupIds(): string[];
  /** Returns no rows if nothing was asked. Crews, tasks and groups are sorted by name; the total comes last. */
  rows(options: RowOptions): Row[];
}

interface RowOptions {
  /** Null for all. */
  crew: string | null;
  /** Target for decisions; null for none. */
  slaMs: Millis | null;
  /** Returns the name of a user group. */
  nameOf: (groupId: string) => string;
}

export function createSummary({ since, until }: Period): Summary {
  const parts = new Map<string, Part>();
  /** Number of runs in which a task without a name asked. */
  const runsOf = new Map<string, number>();
  const isInTime = ({ askedAt }: Outcome) => askedAt >= (since ?? 0) && askedAt < (until ?? Number.POSITIVE_INFINITY);

  const partFor = ({ crew, task, decision }: Outcome): Part => {
    const rule = decision === null ? null : (decision.by.for ?? decision.by).rule;
    const key = JSON.stringify([crew, task.name === null ? { id: task.id } : task.name, rule]);
    const part = parts.get(key) ?? { crew, task, rule, ...NOTHING, timesMs: [] };
    parts.set(key, part);
    return part;
  };

  const taskLabel = ({ crew, task: { id, name } }: Part) =>
    name ?? ((runsOf.get(unnamedKey(crew, id)) ?? 0) > 1 ? id : UNNAMED);

  return {
    add(run) {
      const outcomes = outcomesOf(run).filter(isInTime);
      for (const outcome of outcomes) count(partFor(outcome), outcome);
      const unnamed = outcomes.flatMap(({ crew, task }) => (task.name === null ? [unnamedKey(crew, task.id)] : []));
      for (const key of new Set(unnamed)) runsOf.set(key, (runsOf.get(key) ?? 0) + 1);
    },
    crews: () => [...new Set([...parts.values()].map(({ crew }) => crew))].sort(byName),
    groupIds: () => [
      ...new Set([...parts.values()].flatMap(({ rule }) => (kindOf(rule) === 'group' && rule !== null ? [rule] : []))),
    ],
    rows({ crew, slaMs, nameOf }) {
      const selection = [...parts.values()].filter((part) => crew === null || part.crew === crew);
      const labelled = selection.map((part) => ({
        ...part,
        task: taskLabel(part),
        approvers: groupLabel(part.rule, nameOf),
      }));
      return rowsOf(labelled, slaMs);
    },
  };
}

const unnamedKey = (crew: string, taskId: string) => JSON.stringify([crew, taskId]);

/** Counts of the requests that one group has decided of one task, or nobody yet. */
interface Part extends Counts {
  crew: string;
  task: Outcome['task'];
  /** Null if nothing was decided. */
  rule: string | null;
}

interface Counts {
  asked: number;
  expired: number;
  declined: number;
  /** Number of settled tasks, and of requests that this took altogether. */
  settled: number;
  rounds: number;
  /** Time to each decision. */
  timesMs: Millis[];
}

const NOTHING = { asked: 0, expired: 0, declined: 0, settled: 0, rounds: 0 };

function count(part: Counts, { askedAt, decision, expiredAt, rounds }: Outcome): void {
  part.asked += 1;
  if (decision !== null) part.timesMs.push(decision.at - askedAt);
  if (decision?.verdict === 'decline') part.declined += 1;
  if (expiredAt !== null) part.expired += 1;
  if (rounds === null) return;
  part.settled += 1;
  part.rounds += rounds;
}

const UNDECIDED = '(undecided)';
const UNNAMED = '(unnamed)';
const NAMED_PEOPLE = 'named people';

/** The report ranks no individuals. */
function groupLabel(rule: string | null, nameOf: RowOptions['nameOf']): string {
  if (rule === null) return UNDECIDED;
  switch (kindOf(rule)) {
    case 'person':
    case 'email':
    case 'input':
      return NAMED_PEOPLE;
    case 'group':
      return nameOf(rule);
    case 'handle':
    case 'channel':
    case 'workspace':
    case undefined:
      return rule;
  }
}

function kindOf(rule: string | null) {
  return rule === null ? undefined : parseApprover(rule)?.kind;
}

interface Labelled extends Counts {
  crew: string;
  task: string;
  approvers: string;
}

function rowsOf(all: readonly Labelled[], slaMs: Millis | null): Row[] {
  if (all.length === 0) return [];
  const row = (parts: readonly Labelled[], about: Partial<Row> & Pick<Row, 'level'>): Row => ({
    ...{ crew: null, task: null, approvers: null },
    ...about,
    ...figuresOf(parts, slaMs),
  });
  const approverRows = (parts: readonly Labelled[], about: Partial<Row>) =>
    inOrder(parts, ({ approvers }) => approvers).map(([approvers, some]) =>
      row(some, { ...about, level: 'approvers', approvers }),
    );
  const crewRows = inOrder(all, ({ crew }) => crew).flatMap(([crew, ofCrew]) => [
    row(ofCrew, { level: 'crew', crew }),
    ...inOrder(ofCrew, ({ task }) => task).flatMap(([task, ofTask]) => [
      row(ofTask, { level: 'task', crew, task }),
      ...approverRows(ofTask, { crew, task }),
    ]),
  ]);
  return [...crewRows, row(all, { level: 'total' }), ...approverRows(all, {})];
}

function figuresOf(parts: readonly Counts[], slaMs: Millis | null): Figures {
  const sum = (of: (part: Counts) => number) => parts.reduce((total, part) => total + of(part), 0);
  const times = parts.flatMap(({ timesMs }) => timesMs);
  const settled = sum((part) => part.settled);
  return {
    asked: sum((part) => part.asked),
    decided: times.length,
    inTarget: slaMs === null ? null : times.filter((ms) => ms <= slaMs).length,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    expired: sum((part) => part.expired),
    declined: sum((part) => part.declined),
    rounds: settled === 0 ? null : sum((part) => part.rounds) / settled,
  };
}

/**
 * Returns the smallest value that at least this share of all values don't exceed (the nearest rank), which is always one of the
 * values; null without values. https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function inOrder<Part>(parts: readonly Part[], nameOf: (part: Part) => string): [string, Part[]][] {
  return [...groupBy(parts, nameOf)].sort(([one], [other]) => byName(one, other));
}

/** Sorts by name, with the placeholders for the rest last. */
function byName(one: string, other: string): number {
  const rest = (name: string) => Number(name === UNDECIDED || name === UNNAMED);
  return rest(one) - rest(other) || (one < other ? -1 : 1);
}
