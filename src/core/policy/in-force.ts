// The rules that apply to one request: those of its task, as conditions change them, of the stage that it is in, with the people
// whom its inputs name.

import type { SeenFacts } from '../ledger/entry.ts';
import { type Asked, inputValue, type Values, valuesOf } from './condition.ts';
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

/** One of the rules that may turn out to apply to a request, as they are in force now: of the stage that is open by them. */
export interface PossibleRules extends Policy {
  /** Recognise its stages, in their order. */
  stageKeys: readonly string[];
  /** Where they stand in the document of the crew's policy, as a JSON Pointer (https://www.rfc-editor.org/rfc/rfc6901). */
  place: string;
  /** Whether the open stage was escalated by these rules, so that `escalateTo` may decide, too. */
  isEscalated: boolean;
}

/** The part of a request that finds its rules. */
export interface Placed extends Task {
  values: Values;
  /** The keys of the stages that are complete, by whichever rules. */
  stages: readonly string[];
  /** The places of the rules by which the request was escalated. */
  escalated?: readonly string[];
}

/**
 * All rules that may turn out to apply to a request: those of the crew, and each entry of `tasks` and `when` that what isn't known
 * yet might match. One, as soon as everything is known that they depend on.
 */
export function possibleRules(policy: CrewPolicy, asked: Asked): PossibleRules[] {
  return possibleWith(policy, placedIn(policy, asked));
}

/** The possible rules of all requests of a task; null where they depend on more than the task. */
export function possibleForTask(
  policy: CrewPolicy,
  { escalated, ...task }: Pick<Asked, 'taskId' | 'taskName' | 'isTitled' | 'escalated'>,
): PossibleRules[] | null {
  const possible: PossibleRules[] = [];
  for (const level of possibleLevels(policy, asRulesKnow(task, policy))) {
    const rules = fixedRules(level);
    if (rules === null) return null;
    possible.push(escalated.includes(level.place) ? { ...rules, isEscalated: true } : rules);
  }
  return possible;
}

/** The usual rules of a crew, for what is about no request. */
export function possibleForAny(policy: CrewPolicy): PossibleRules[] {
  return [{ ...policy, place: '', stageKeys: stageKeys(policy.stages), isEscalated: false }];
}

/** Lists judge thousands of requests by the same rules, and remember by them what they have found out. */
const FIXED = new WeakMap<Level, PossibleRules | null>();

/** The rules of a place that are the same for all requests; null where they depend on a request, or have stages. */
function fixedRules({ place, rules }: PlacedLevel): PossibleRules | null {
  const known = FIXED.get(rules);
  if (known !== undefined) return known;
  const isFixed = rules.stages.length === 0 && namesAt([rules]) === null;
  const fixed = isFixed ? { ...rules, place, stageKeys: [], isEscalated: false } : null;
  FIXED.set(rules, fixed);
  if (fixed) SURE.add(fixed);
  return fixed;
}

const SURE = new WeakSet<PossibleRules>();

/** Whether these are the only possible rules, whatever becomes known of the request. */
export function areSure([only, ...others]: readonly PossibleRules[]): boolean {
  return only !== undefined && others.length === 0 && SURE.has(only);
}

/** The possible rules of a request, by the values that are known of it. */
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

/** The rules of a crew or of some of its tasks, and where they stand. */
interface PlacedLevel {
  place: string;
  rules: Level;
}

/** The entries of `tasks` that may be those of a task, or the crew's own rules where none has to. */
export function possibleLevels(policy: CrewPolicy, task: Task): PlacedLevel[] {
  const levels: PlacedLevel[] = [];
  for (const [index, rules] of policy.tasks.entries()) {
    const isMeant = means(rules, task);
    if (isMeant !== false) levels.push({ place: `/tasks/${index}`, rules });
    if (isMeant) return levels;
  }
  return [...levels, { place: '', rules: policy }];
}

/** The values that the possible rules of a request were found by, and their places. Null where the rules depend on nothing. */
export function seenFor(policy: CrewPolicy, asked: Asked): SeenFacts | null {
  return seenWith(policy, placedIn(policy, asked));
}

function placedIn(policy: CrewPolicy, asked: Asked): Placed {
  const named = asRulesKnow(asked, policy);
  return { ...named, values: valuesOf(named, policy) };
}

/** A request whose task has no name, as far as rules are concerned, where a title doesn't count as one. */
export function asRulesKnow<Each extends Pick<Asked, 'taskName' | 'isTitled'>>(
  asked: Each,
  { matchTitles }: Pick<CrewPolicy, 'matchTitles'>,
): Each {
  return asked.isTitled && !matchTitles ? { ...asked, taskName: null } : asked;
}

/** The same by the values that are known. */
export function seenWith(policy: CrewPolicy, placed: Placed): SeenFacts | null {
  const levels = possibleLevels(policy, placed);
  const names = namesAt(levels.map(({ rules }) => rules));
  if (names === null && levels.length === 1) return null;
  const { values } = placed;
  const known = (names ?? []).flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const possible = levels.flatMap((level) => conditionedRules(level, values).map(({ place }) => place));
  return { possible, values: Object.fromEntries(known) };
}

/** The names of the values that rules depend on; null where they depend on nothing but the task. */
export function namesAt(levels: readonly Level[]): string[] | null {
  const names = [...new Set(levels.flatMap(namesOf))].sort();
  return names.length === 0 && levels.every(({ when }) => when.length === 0) ? null : names;
}

/** Lists ask for the rules of all requests. */
const NAMES = new WeakMap<Level, string[]>();

function namesOf(level: Level): string[] {
  const known = NAMES.get(level);
  if (known) return known;
  const seen = level.when.flatMap(({ condition }) => condition.sees);
  const names = [...new Set([...seen, ...inputsNamedIn(level).map(inputValue)])];
  NAMES.set(level, names);
  return names;
}

/** Rules that count, and their place among the conditions of a policy. */
export interface CountingRules {
  place: number;
  policy: ConditionalPolicy;
  /** `unknown`: nobody can tell, since a value is missing. */
  verdict: 'holds' | 'unknown';
}

/** The first rules whose condition holds, and those before them of which nobody can tell; where none holds, only the latter. */
export function countingRules({ when }: Pick<CrewPolicy, 'when'>, values: Values): CountingRules[] {
  const counting: CountingRules[] = [];
  for (const [place, policy] of when.entries()) {
    const holds = policy.condition.holds(values);
    if (holds !== false) counting.push({ place, policy, verdict: holds ? 'holds' : 'unknown' });
    if (holds) break;
  }
  return counting;
}

/** The rules around the conditions come last: they may apply unless a condition surely holds. */
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

/** The rules of one of the stages, from 0. */
function atStage<Each extends Policy>(rules: Each, stage: number): Each {
  return { ...rules, ...rules.stages[stage], stage };
}

/** The rules of the stage after the one that is open, which nothing has escalated. */
export function nextStage(rules: PossibleRules): PossibleRules {
  return { ...atStage(rules, rules.stage + 1), isEscalated: false };
}

export function hasNextStage({ stages, stage }: Pick<Policy, 'stages' | 'stage'>): boolean {
  return stage + 1 < stages.length;
}

/** The rules of the open stage and of each that comes after it, in their order. */
export function stepsFrom(rules: PossibleRules): [PossibleRules, ...PossibleRules[]] {
  return hasNextStage(rules) ? [rules, ...stepsFrom(nextStage(rules))] : [rules];
}

/** The names of the inputs that stand for approvers, of whichever stage or condition. */
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
  return { ...named(rules, values), stages: rules.stages.map((stage) => named(stage, values)) };
}

function named<Each extends StagePolicy | Policy>(rules: Each, values: Values): Each {
  const resolved = (all: readonly Approver[]) => all.map((each) => namedBy(each, values));
  const { approvers, allOf, escalateTo } = rules;
  return { ...rules, approvers: resolved(approvers), allOf: resolved(allOf), escalateTo: resolved(escalateTo) };
}

/** Whom an input names: by their id, e-mail address, or a mention as Slack writes it. Nobody if it is anything else. */
function namedBy(approver: Approver, values: Values): Approver {
  const [input] = inputIn(approver);
  const value = input === undefined ? undefined : values.get(inputValue(input));
  if (input === undefined || typeof value !== 'string') return approver;
  const written = value.trim();
  const [, mentioned = written] = /^<@([UW][A-Z0-9]{2,})(?:\|[^>]*)?>$/.exec(written) ?? [];
  const named = parseApprover(mentioned.startsWith('mailto:') ? mentioned.slice('mailto:'.length) : mentioned);
  return named?.kind === 'person' || named?.kind === 'email' ? { ...named, input } : approver;
}

export interface Task {
  taskId: string;
  /** Null while it isn't known. */
  taskName: string | null;
}

/** Whether rules are those of a task; null as long as only its name can tell. */
function means({ match, looksAt }: TaskPattern, { taskId, taskName }: Task): boolean | null {
  if (matches(match, taskId)) return true;
  if (looksAt === 'id') return false;
  return taskName === null ? null : matches(match, taskName);
}

/** The place of the entry, among the crew's, that is for a task whose name and id are known; null if none is. */
export function taskIndexFor({ tasks }: { tasks: readonly TaskPattern[] }, task: Task): number | null {
  const index = tasks.findIndex((each) => means(each, task) === true);
  return index === -1 ? null : index;
}

/** Lists match the names of all requests. The patterns are those of the crews file. */
const EXPRESSIONS = new Map<string, RegExp>();

/** Whether a pattern of the crews file, in any case and with `*` for any text, is a name. */
export function matches(pattern: string, name: string): boolean {
  const known = EXPRESSIONS.get(pattern);
  if (known) return known.test(name);
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('[^]*')}$`, 'iu');
  EXPRESSIONS.set(pattern, expression);
  return expression.test(name);
}
