// The rules that apply to one request: by its task, the conditions that hold, its open stage, and the people whom its inputs name.
// `rules.ts` asks for every request; the ledger and `npm run policy` also ask which values the rules depended on.

import type { SeenFacts } from '../ledger/entry.ts';
import { inputValue, type RequestFacts, type Values, valuesOf } from './condition.ts';
import { stageKeys } from './document.ts';
import {
  type Approver,
  type ConditionalPolicy,
  type CrewPolicy,
  everNamed,
  type Policy,
  parseApprover,
  type StagePolicy,
  type TaskPattern,
} from './policy.ts';

/** Rules that may apply to a request, as they are in force for the stage that is open by them. */
export interface PossibleRules extends Policy {
  /** Identify the stages, in their order. */
  stageKeys: readonly string[];
  /** Position in the document of the crew's policy, as a JSON Pointer (https://www.rfc-editor.org/rfc/rfc6901). */
  place: string;
  /** The open stage was escalated by these rules, so that `escalateTo` may decide as well. */
  isEscalated: boolean;
}

/** The part of a request that selects its rules. */
export interface Placed extends Task {
  values: Values;
  /** The keys of the stages that are complete, by whichever rules. */
  stages: readonly string[];
  /** The places of the rules by which the request was escalated. */
  escalated?: readonly string[];
}

/**
 * Returns all rules that may apply to a request: the crew's own, and each entry of `tasks` and `when` that a value which isn't known
 * yet may still select. Only one is left once everything is known that the rules depend on.
 */
export function possibleRules(policy: CrewPolicy, request: RequestFacts): PossibleRules[] {
  return possibleWith(policy, placedIn(policy, request));
}

/** Returns the possible rules of all requests of a task; null where they depend on more than the task. */
export function possibleForTask(
  policy: CrewPolicy,
  { escalated, ...task }: Pick<RequestFacts, 'taskId' | 'taskName' | 'isTitled' | 'escalated'>,
): PossibleRules[] | null {
  const possible: PossibleRules[] = [];
  for (const level of possibleLevels(policy, withoutTitle(task, policy))) {
    const rules = fixedRules(level);
    if (rules === null) return null;
    possible.push(escalated.includes(level.place) ? { ...rules, isEscalated: true } : rules);
  }
  return possible;
}

/** Returns the usual rules of a crew, for actions that are about no request. */
export function possibleForAny(policy: CrewPolicy): PossibleRules[] {
  return [{ ...policy, place: '', stageKeys: stageKeys(policy.stages), isEscalated: false }];
}

/** A cache: lists judge thousands of requests by the same rules. */
const FIXED = new WeakMap<Level, PossibleRules | null>();

/** Returns the rules at a place if they are the same for all requests; null where they depend on a request, or have stages. */
function fixedRules({ place, rules }: PlacedLevel): PossibleRules | null {
  const cached = FIXED.get(rules);
  if (cached !== undefined) return cached;
  const isFixed = rules.stages.length === 0 && namesAt([rules]) === null;
  const fixed = isFixed ? { ...rules, place, stageKeys: [], isEscalated: false } : null;
  FIXED.set(rules, fixed);
  if (fixed) SURE.add(fixed);
  return fixed;
}

/** Rules that `fixedRules` has found to be the same for all requests of a task. */
const SURE = new WeakSet<PossibleRules>();

/** Returns true if these are the only possible rules, whatever becomes known about the request. */
export function areSure([only, ...others]: readonly PossibleRules[]): boolean {
  return only !== undefined && others.length === 0 && SURE.has(only);
}

/** Returns the possible rules of a request by its known values. */
export function possibleWith(policy: CrewPolicy, placed: Placed): PossibleRules[] {
  const { values, stages, escalated = [] } = placed;
  return possibleLevels(policy, placed).flatMap((level) =>
    conditionedRules(level, values).map(({ place, rules }) => {
      const keys = stageKeys(rules.stages);
      const open = inStage(withInputs(rules, values), { keys, complete: stages });
      return { ...open, place, stageKeys: keys, isEscalated: escalated.includes(place) };
    }),
  );
}

type Level = CrewPolicy | CrewPolicy['tasks'][number];

/** The rules of a crew or of some of its tasks, and their position in the policy's document. */
interface PlacedLevel {
  place: string;
  rules: Level;
}

/** Returns the entries of `tasks` that may match a task, and the crew's own rules unless one surely matches. */
export function possibleLevels(policy: CrewPolicy, task: Task): PlacedLevel[] {
  const levels: PlacedLevel[] = [];
  for (const [index, rules] of policy.tasks.entries()) {
    const isMatch = matchesTask(rules, task);
    if (isMatch !== false) levels.push({ place: `/tasks/${index}`, rules });
    if (isMatch) return levels;
  }
  return [...levels, { place: '', rules: policy }];
}

/** Returns the values that selected the possible rules of a request, and the places of these rules. Null where nothing selects rules. */
export function seenFor(policy: CrewPolicy, request: RequestFacts): SeenFacts | null {
  return seenWith(policy, placedIn(policy, request));
}

function placedIn(policy: CrewPolicy, facts: RequestFacts): Placed {
  const request = withoutTitle(facts, policy);
  return { ...request, values: valuesOf(request, policy) };
}

/** Removes the task's name if it is only a title, which doesn't count as a name for this policy. */
export function withoutTitle<Each extends Pick<RequestFacts, 'taskName' | 'isTitled'>>(
  request: Each,
  { matchTitles }: Pick<CrewPolicy, 'matchTitles'>,
): Each {
  return request.isTitled && !matchTitles ? { ...request, taskName: null } : request;
}

/** Returns the same as `seenFor` for a request whose values were read already. */
export function seenWith(policy: CrewPolicy, placed: Placed): SeenFacts | null {
  const levels = possibleLevels(policy, placed);
  const names = namesAt(levels.map(({ rules }) => rules));
  if (names === null && levels.length === 1) return null;
  const { values } = placed;
  const entries = (names ?? []).flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const possible = levels.flatMap((level) => conditionedRules(level, values).map(({ place }) => place));
  return { possible, values: Object.fromEntries(entries) };
}

/** Returns the names of the values that rules depend on; null where they depend on nothing but the task. */
export function namesAt(levels: readonly Level[]): string[] | null {
  const names = [...new Set(levels.flatMap(namesOf))].sort();
  return names.length === 0 && levels.every(({ when }) => when.length === 0) ? null : names;
}

/** A cache: lists ask for the rules of all requests. */
const NAMES = new WeakMap<Level, string[]>();

function namesOf(level: Level): string[] {
  const cached = NAMES.get(level);
  if (cached) return cached;
  const seen = level.when.flatMap(({ condition }) => condition.sees);
  const names = [...new Set([...seen, ...inputsNamedIn(level).map(inputValue)])];
  NAMES.set(level, names);
  return names;
}

/** Rules under a condition that may hold, and their index among the conditions of a policy. */
export interface CountingRules {
  place: number;
  policy: ConditionalPolicy;
  /** `unknown`: a value is missing. */
  verdict: 'holds' | 'unknown';
}

/** Returns the first rules whose condition holds, after all earlier ones whose condition is unknown. */
export function countingRules({ when }: Pick<CrewPolicy, 'when'>, values: Values): CountingRules[] {
  const counting: CountingRules[] = [];
  for (const [place, policy] of when.entries()) {
    const holds = policy.condition.holds(values);
    if (holds !== false) counting.push({ place, policy, verdict: holds ? 'holds' : 'unknown' });
    if (holds) break;
  }
  return counting;
}

/** Appends the rules around the conditions, which may apply unless a condition surely holds. */
function conditionedRules({ place, rules }: PlacedLevel, values: Values): { place: string; rules: Policy }[] {
  const counting = countingRules(rules, values);
  const replacing = counting.map((each) => ({ place: `${place}/when/${each.place}`, rules: each.policy }));
  return counting.at(-1)?.verdict === 'holds' ? replacing : [...replacing, { place, rules }];
}

function inStage(rules: Policy, { keys, complete }: { keys: readonly string[]; complete: readonly string[] }): Policy {
  if (keys.length === 0) return rules;
  const open = keys.findIndex((key) => !complete.includes(key));
  return atStage(rules, open === -1 ? keys.length - 1 : open);
}

/** Returns the rules of one stage, counted from 0. */
function atStage<Each extends Policy>(rules: Each, stage: number): Each {
  return { ...rules, ...rules.stages[stage], stage };
}

/** Returns the rules of the stage after the open one. Nothing has escalated it yet. */
export function nextStage(rules: PossibleRules): PossibleRules {
  return { ...atStage(rules, rules.stage + 1), isEscalated: false };
}

export function hasNextStage({ stages, stage }: Pick<Policy, 'stages' | 'stage'>): boolean {
  return stage + 1 < stages.length;
}

/** Returns the rules of the open stage and of each later one, in their order. */
export function stepsFrom(rules: PossibleRules): [PossibleRules, ...PossibleRules[]] {
  return hasNextStage(rules) ? [rules, ...stepsFrom(nextStage(rules))] : [rules];
}

/** Returns the names of the inputs that stand for approvers, in any stage and under any condition. */
export function inputsNamedIn(level: Policy & { when?: readonly Policy[] }): string[] {
  const all = [level, ...level.stages, ...(level.when ?? []).flatMap((each) => [each, ...each.stages])];
  return [...new Set(all.flatMap((each) => everNamed(each).flatMap(inputIn)))];
}

function inputIn({ kind, name }: Approver): string[] {
  return kind === 'input' ? [name.slice(INPUT.length)] : [];
}

const INPUT = 'input:';

function withInputs(rules: Policy, values: Values): Policy {
  if (inputsNamedIn(rules).length === 0) return rules;
  return { ...resolveInputs(rules, values), stages: rules.stages.map((stage) => resolveInputs(stage, values)) };
}

function resolveInputs<Each extends StagePolicy | Policy>(rules: Each, values: Values): Each {
  const resolve = (all: readonly Approver[]) => all.map((each) => resolveInput(each, values));
  const { approvers, allOf, escalateTo } = rules;
  return { ...rules, approvers: resolve(approvers), allOf: resolve(allOf), escalateTo: resolve(escalateTo) };
}

/** Returns the person whom an input names by id, e-mail address or a mention as Slack writes it. Other text names nobody. */
function resolveInput(approver: Approver, values: Values): Approver {
  const [input] = inputIn(approver);
  const value = input === undefined ? undefined : values.get(inputValue(input));
  if (input === undefined || typeof value !== 'string') return approver;
  const written = value.trim();
  const [, mentioned = written] = /^<@([UW][A-Z0-9]{2,})(?:\|[^>]*)?>$/.exec(written) ?? [];
  const person = parseApprover(mentioned.startsWith('mailto:') ? mentioned.slice('mailto:'.length) : mentioned);
  return person?.kind === 'person' || person?.kind === 'email' ? { ...person, input } : approver;
}

export interface Task {
  taskId: string;
  /** Null until the crew names the task. */
  taskName: string | null;
}

/** Returns true if a pattern matches a task; null while only the task's name can tell. */
function matchesTask({ match, looksAt }: TaskPattern, { taskId, taskName }: Task): boolean | null {
  if (matches(match, taskId)) return true;
  if (looksAt === 'id') return false;
  return taskName === null ? null : matches(match, taskName);
}

/** Returns the index of the first entry that surely matches a task; null if none does. */
export function taskIndexFor({ tasks }: { tasks: readonly TaskPattern[] }, task: Task): number | null {
  const index = tasks.findIndex((each) => matchesTask(each, task) === true);
  return index === -1 ? null : index;
}

/** A cache: lists match the names of all requests. The patterns are the few of the crews file. */
const EXPRESSIONS = new Map<string, RegExp>();

/** Returns true if a pattern of the crews file matches a name. Case doesn't count, and `*` stands for any text. */
export function matches(pattern: string, name: string): boolean {
  const cached = EXPRESSIONS.get(pattern);
  if (cached) return cached.test(name);
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('[^]*')}$`, 'iu');
  EXPRESSIONS.set(pattern, expression);
  return expression.test(name);
}
