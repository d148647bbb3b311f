import type { LedgerEvent } from '../../core/ledger/entry.ts';
import { parseApprover } from '../../core/policy/policy.ts';
import { groupBy } from '../../core/values/group-by.ts';
import type { Millis } from '../../core/values/time.ts';
import { type Outcome, outcomesOf } from '../outcomes.ts';
import type { Period } from '../sealed-chains.ts';

// What the requests of a period add up to, by crew, task and approver group, in whatever order their runs are added.

/** A line of the report: what one crew has asked, or one task of it, or everything; and of the latter two, what counts for one group. */
export interface Row extends Figures {
  level: 'total' | 'crew' | 'task' | 'approvers';
  /** Null for all. */
  crew: string | null;
  task: string | null;
  approvers: string | null;
}

interface Figures {
  asked: number;
  /** By people, a decline included. */
  decided: number;
  /** How many of these within the target; null without one. */
  inTarget: number | null;
  /** From the request to the decision; null where nothing was decided. */
  medianMs: Millis | null;
  p95Ms: Millis | null;
  expired: number;
  /** For good. */
  declined: number;
  /** How many requests it took to settle a task, on average; null where none was settled. */
  rounds: number | null;
}

export interface Summary {
  /** @param run all events of one run, oldest first */
  add(run: readonly LedgerEvent[]): void;
  /** Those that have asked in this time. */
  crews(): string[];
  /** The ids of the user groups by whose right somebody has decided. */
  groupIds(): string[];
  /** None if nothing was asked. Crews, then tasks, then groups are in the order of their names; the total comes last. */
  rows(options: RowOptions): Row[];
}

interface RowOptions {
  /** Null for all. */
  crew: string | null;
  /** Within how long a request should be decided; null for no target. */
  slaMs: Millis | null;
  /** How a user group is called. */
  nameOf: (groupId: string) => string;
}

export function createSummary({ since, until }: Period): Summary {
  const parts = new Map<string, Part>();
  /** In how many runs a task without a name has asked. */
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
      const chosen = [...parts.values()].filter((part) => crew === null || part.crew === crew);
      const labelled = chosen.map((part) => ({
        ...part,
        task: taskLabel(part),
        approvers: groupLabel(part.rule, nameOf),
      }));
      return rowsOf(labelled, slaMs);
    },
  };
}

const unnamedKey = (crew: string, taskId: string) => JSON.stringify([crew, taskId]);

/** What counts of the requests that one group has decided of one task, or that nobody has. */
interface Part extends Counts {
  crew: string;
  task: Outcome['task'];
  /** Null where nothing was decided. */
  rule: string | null;
}

interface Counts {
  asked: number;
  expired: number;
  declined: number;
  /** How many settled their task, and how many requests that took altogether. */
  settled: number;
  rounds: number;
  /** Of each decision. */
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
 * The smallest value that at least this share of all values don't exceed (the nearest rank), so one that really occurred;
 * null without values. https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function inOrder<Part>(parts: readonly Part[], nameOf: (part: Part) => string): [string, Part[]][] {
  return [...groupBy(parts, nameOf)].sort(([one], [other]) => byName(one, other));
}

/** What stands for the rest comes last. */
function byName(one: string, other: string): number {
  const rest = (name: string) => Number(name === UNDECIDED || name === UNNAMED);
  return rest(one) - rest(other) || (one < other ? -1 : 1);
}
