// The rules that apply to one request: those of its task, as conditions change them, of the stage that it is in, with the people
// whom its inputs name.

import type { SeenFacts } from '../ledger/entry.ts';
import { type Asked, inputValue, type Values, valuesOf } from './condition.ts';
import { stageKey } from './document.ts';
import {
  type Approver,
  type ConditionalPolicy,
  type CrewPolicy,
  everNamed,
  type Policy,
  parseApprover,
  type StagePolicy,
} from './policy.ts';
import { strictest } from './strictest.ts';

/** The policy of a request. `rules.ts` finds it for requests of executions and lists. */
export function policyFor(policy: CrewPolicy, asked: Asked): Policy {
  const level = levelFor(policy, asked);
  if (!dependsOnRequest(level)) return level;
  return inForceAt(level, { stages: asked.stages, values: valuesOf(asked, policy) });
}

/** The policy of all requests of a task; null where it depends on more than the task. */
export function policyForTask(policy: CrewPolicy, task: Task): Policy | null {
  const level = levelFor(policy, task);
  return dependsOnRequest(level) ? null : level;
}

/** The part of a request that finds its rules. */
interface Placed extends Pick<Asked, 'taskId' | 'taskName' | 'stages'> {
  values: Values;
}

/** The policy of a request, by the values that are known of it. */
export function inForce(policy: CrewPolicy, placed: Placed): Policy {
  return inForceAt(levelFor(policy, placed), placed);
}

function inForceAt(level: Level, { values, stages }: Pick<Placed, 'values' | 'stages'>): Policy {
  return withInputs(inStage(withCondition(level, values), stages), values);
}

type Level = CrewPolicy | CrewPolicy['tasks'][number];

function dependsOnRequest(level: Level): boolean {
  return level.stages.length > 0 || namesAt(level) !== null;
}

export function levelFor(policy: CrewPolicy, task: Task): Level {
  const index = taskIndexFor(policy, task);
  return (index === null ? null : policy.tasks[index]) ?? policy;
}

/** The values that the rules of a request were found by. Null where the rules depend on nothing but the task. */
export function seenFor(policy: CrewPolicy, asked: Asked): SeenFacts | null {
  const level = levelFor(policy, asked);
  const names = namesAt(level);
  if (names === null) return null;
  const values = valuesOf(asked, policy);
  const known = names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { rules: rulesSeen(level, values), values: Object.fromEntries(known) };
}

/** The names of the values that rules depend on; null where they depend on nothing but the task. */
export function namesAt(level: Level): string[] | null {
  const names = namesOf(level);
  return level.when.length === 0 && names.length === 0 ? null : names;
}

/** Lists ask for the rules of all requests. */
const NAMES = new WeakMap<Level, string[]>();

function namesOf(level: Level): string[] {
  const known = NAMES.get(level);
  if (known) return known;
  const seen = level.when.flatMap(({ condition }) => condition.sees);
  const names = [...new Set([...seen, ...inputsNamedIn(level).map(inputValue)])].sort();
  NAMES.set(level, names);
  return names;
}

/** Rules that count, and their place among the conditions of a policy. */
interface CountingRules {
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

export function rulesSeen(level: Pick<CrewPolicy, 'when'>, values: Values): number[] {
  return countingRules(level, values).map(({ place }) => place);
}

/** As long as nobody can tell which rules apply, all do that may. */
function withCondition(level: Level, values: Values): Policy {
  const counting = countingRules(level, values);
  if (counting.length === 0) return level;
  const found = counting.map(({ policy }) => policy);
  return strictest(counting.at(-1)?.verdict === 'holds' ? found : [level, ...found]);
}

function inStage(rules: Policy, complete: readonly string[]): Policy {
  const { stages } = rules;
  if (stages.length === 0) return rules;
  const open = stages.findIndex((stage, i) => complete[i] !== stageKey(stage));
  const at = open === -1 ? stages.length - 1 : open;
  const stage: StagePolicy = stages[at] ?? { ...rules, name: '' };
  return { ...stage, stages, stage: at };
}

export function hasNextStage({ stages, stage }: Pick<Policy, 'stages' | 'stage'>): boolean {
  return stage + 1 < stages.length;
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

function withInputs(policy: Policy, values: Values): Policy {
  const { approvers, allOf, escalateTo } = policy;
  if (everNamed(policy).every(({ kind }) => kind !== 'input')) return policy;
  const known = (all: readonly Approver[]) => all.map((each) => namedBy(each, values));
  return { ...policy, approvers: known(approvers), allOf: known(allOf), escalateTo: known(escalateTo) };
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

interface Task {
  taskId: string;
  taskName: string | null;
}

/** The place of the first pattern, among the crew's, that matches the name of a task or, without one, its id; null if none does. */
export function taskIndexFor(
  { tasks }: { tasks: readonly { match: string }[] },
  { taskId, taskName }: Task,
): number | null {
  const isMeant = (match: string) => [taskName, taskId].some((name) => name !== null && matches(match, name));
  const index = tasks.findIndex(({ match }) => isMeant(match));
  return index === -1 ? null : index;
}

/** Whether other rules may apply once it is known what the task is called. */
export function isProvisional(policy: CrewPolicy | null, task: Task): boolean {
  if (policy === null || task.taskName !== null || taskIndexFor(policy, task) !== null) return false;
  return policy.tasks.length > 0 || policy.when.some(({ condition }) => condition.sees.includes('task'));
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
