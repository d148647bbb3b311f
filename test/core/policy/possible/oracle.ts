// What rules make of votes, written a second time and in other words than in the core: by trying all ways to deal them.

import type { Facts } from '../../../../src/core/policy/permits.ts';
import { type ConditionedRules, type CrewRulesSpec, holds, type PlainRules, type Step } from './rules.ts';

/** What can be known of a request. */
export interface Known {
  taskId: string;
  /** Null where it isn't known, here and below. */
  taskName: string | null;
  amount: number | null;
  owner: string | null;
}

/** The rules that may turn out to apply, by their places. */
export function mayApply(spec: CrewRulesSpec, known: Known): Map<string, PlainRules> {
  const rules = new Map<string, PlainRules>();
  for (const [i, task] of spec.tasks.entries()) {
    const isMeant = [known.taskId, ...(task.looksAt === 'name' ? [known.taskName] : [])].map((name) =>
      name === null ? null : fits(task.pattern, name),
    );
    if (isMeant.every((each) => each === false)) continue;
    addLevel(rules, `/tasks/${i}`, task, known);
    if (isMeant.includes(true)) return rules;
  }
  addLevel(rules, '', spec, known);
  return rules;
}

function addLevel(rules: Map<string, PlainRules>, place: string, level: ConditionedRules, known: Known): void {
  const values = { 'inputs.amount': known.amount, task: known.taskName, round: 1 };
  for (const [i, each] of level.when.entries()) {
    const verdict = holds(each.if, values[each.if.sees]);
    if (verdict === false) continue;
    rules.set(`${place}/when/${i}`, each);
    if (verdict) return;
  }
  rules.set(place, level);
}

function fits(pattern: string, name: string): boolean {
  const [start = '', end] = pattern.toLowerCase().split('*');
  return end === undefined ? name.toLowerCase() === start : name.toLowerCase().startsWith(start);
}

/** Everything that can turn out about what isn't known; a task has one name in the end. */
export function endings(known: Known): Known[] {
  const names = known.taskName === null ? ['publish', 'draft', 'print', 'other', 't1'] : [known.taskName];
  const amounts = known.amount === null ? [1, 9, 99] : [known.amount];
  return names.flatMap((taskName) => amounts.map((amount) => ({ ...known, taskName, amount })));
}

/** A human, whatever number of accounts they have. */
export function human(id: string): string {
  return id.replace(/\d+$/, '');
}

export interface Given {
  by: string;
  to: string;
}

/** What is so at one moment. */
export interface Moment {
  facts: Facts;
  gifts: readonly Given[];
  starterId: string;
  owner: string | null;
  now: number;
}

export interface CastVote {
  id: string;
  isSigned: boolean;
}

/** How far one of the rules has come. */
export interface State {
  step: number;
  /** The humans who have approved earlier steps, and those whose rights they used. */
  used: readonly string[];
  voters: readonly string[];
  begunAt: number;
  isEscalated: boolean;
}

export const atFirst = (now: number): State => ({ step: 0, used: [], voters: [], begunAt: now, isEscalated: false });

/** One way to deal the votes. */
export interface Dealing {
  state: State;
  isComplete: boolean;
  /** The ids of those whose votes count, of the steps that they complete, too. */
  counted: readonly string[];
}

/** All ways to deal the votes to the steps that are left. */
export function deal(rules: PlainRules, state: State, votes: readonly CastVote[], moment: Moment): Dealing[] {
  const step = rules.steps[state.step];
  if (!step) throw new Error('There is no such step.');
  const isLast = state.step === rules.steps.length - 1;
  return assignments(rules, step, state, votes, moment).flatMap((holders): Dealing[] => {
    const counted = [...holders.keys()];
    const isDone = satisfies(step, state, holders, moment);
    if (!isDone || isLast) return [{ state, isComplete: isDone, counted }];
    const used = [...state.used, ...[...holders].flat().map(human)];
    const voters = [...state.voters, ...counted];
    const next = { step: state.step + 1, used, voters, begunAt: moment.now, isEscalated: false };
    return deal(rules, next, votes, moment).map((each) => ({ ...each, counted: [...counted, ...each.counted] }));
  });
}

/** The ways to give votes rights of their own: as many as possible, older ones first. */
function assignments(
  rules: PlainRules,
  step: Step,
  state: State,
  votes: readonly CastVote[],
  moment: Moment,
): Map<string, string>[] {
  const humans = new Set<string>(state.voters.map(human));
  let choices: [string, string[]][] = [];
  for (const { id, isSigned } of votes) {
    if (humans.has(human(id))) continue;
    const holders = rightsOf(rules, step, state.isEscalated, id, moment);
    if (holders.length === 0 || (rules.stepUp && !isSigned)) continue;
    humans.add(human(id));
    const free = holders.filter((holder) => !state.used.includes(human(holder)));
    const more: typeof choices = [...choices, [id, free]];
    if (ways(more).length > 0) choices = more;
  }
  return ways(choices);
}

function ways([first, ...others]: readonly [string, string[]][]): Map<string, string>[] {
  if (!first) return [new Map()];
  const [id, holders] = first;
  return holders.flatMap((holder) => {
    const left = others.map(([other, own]): [string, string[]] => [
      other,
      own.filter((each) => human(each) !== human(holder)),
    ]);
    return ways(left).map((rest) => new Map([[id, holder], ...rest]));
  });
}

function satisfies(step: Step, state: State, holders: ReadonlyMap<string, string>, moment: Moment): boolean {
  const names = quorumNames(step, state.isEscalated);
  const counting = [...holders.values()].filter((holder) => names.some((name) => isNamed(name, holder, moment)));
  return counting.length >= step.quorum && canSit(step.allOf, [...holders.values()], moment);
}

function canSit([seat, ...others]: readonly string[], holders: readonly string[], moment: Moment): boolean {
  if (seat === undefined) return true;
  return holders.some(
    (holder) =>
      isNamed(seat, holder, moment) &&
      canSit(
        others,
        holders.filter((each) => each !== holder),
        moment,
      ),
  );
}

function quorumNames({ approvers, escalateTo }: Step, isEscalated: boolean): string[] {
  return isEscalated ? [...approvers, ...escalateTo] : approvers;
}

/** Those with whose right a person may approve a step: themselves, or those who gave it to them. */
export function rightsOf(rules: PlainRules, step: Step, isEscalated: boolean, id: string, moment: Moment): string[] {
  if (hasOwnRight(rules, step, isEscalated, id, moment)) return [id];
  const account = moment.facts.accounts[id];
  if (!account || account.isGuest || account.isDeactivated || isOwnRun(rules, id, moment)) return [];
  const isTaker =
    rules.delegation === 'anyone' ||
    (rules.delegation === 'approvers' &&
      [...step.approvers, ...step.escalateTo, ...step.allOf].some((name) => isNamed(name, id, moment)));
  if (!isTaker) return [];
  const givers = moment.gifts.filter(({ to }) => account.identities.includes(to)).map(({ by }) => by);
  return [...new Set(givers)].filter((giver) => hasOwnRight(rules, step, isEscalated, giver, moment));
}

function isOwnRun({ selfApproval }: PlainRules, id: string, { starterId }: Moment): boolean {
  return !selfApproval && human(id) === human(starterId);
}

function hasOwnRight(rules: PlainRules, step: Step, isEscalated: boolean, id: string, moment: Moment): boolean {
  const account = moment.facts.accounts[id];
  if (!account || account.isDeactivated || isOwnRun(rules, id, moment)) return false;
  const now = [...quorumNames(step, isEscalated), ...step.allOf];
  if (!account.isGuest) return now.some((name) => isNamed(name, id, moment));
  return rules.guests && now.some((name) => name === id);
}

/** Whoever starts a run chooses its inputs. */
function isNamed(name: string, id: string, { facts, starterId, owner }: Moment): boolean {
  const account = facts.accounts[id];
  if (!account) return false;
  if (name === 'workspace') return true;
  if (name === 'input:owner')
    return owner !== null && account.identities.includes(owner) && human(id) !== human(starterId);
  if (name.startsWith('U')) return account.identities.includes(name);
  return account.identities.some((each) => facts.members[name]?.has(each));
}
