// Explains why rules apply, or may apply, to a request. Cards and `npm run policy` show it to people.

import { type RequestFacts, requestFactsOf, type Values, valuesOf } from './condition.ts';
import { distinctRules } from './document.ts';
import { type CountingRules, countingRules, possibleLevels, possibleRules, withoutTitle } from './in-force.ts';
import type { CrewPolicy, Policy } from './policy.ts';
import type { RequestRules } from './rules.ts';

/** The conditions of a policy as the operator wrote them, of the crew's rules and of its tasks' rules. */
export interface ConditionTexts {
  when: readonly string[];
  tasks: readonly { match: string; when: readonly string[] }[];
}

/** A cache by the hashes of policies. */
export type PolicyConditions = ReadonlyMap<string, ConditionTexts>;

/** Returns the indexes in a place of rules. `task` is null for the whole crew, `condition` for rules without one. */
export function partsOf(place: string): { task: number | null; condition: number | null } {
  const [, task, condition] = /^(?:\/tasks\/(\d+))?(?:\/when\/(\d+))?$/.exec(place) ?? [];
  return {
    task: task === undefined ? null : Number(task),
    condition: condition === undefined ? null : Number(condition),
  };
}

/** Returns the pattern of the tasks, or the condition, that the operator wrote for the rules at a place. */
export function rulesAt(
  { when, tasks }: ConditionTexts,
  place: string,
): { pattern: string | null; condition: string | null } {
  const { task, condition } = partsOf(place);
  const entry = task === null ? undefined : tasks[task];
  const conditions = task === null ? when : entry?.when;
  if (condition === null) return { pattern: entry?.match ?? null, condition: null };
  return { pattern: null, condition: conditions?.[condition] ?? null };
}

/** The reason why rules may apply. */
export interface PossibleCause {
  /** The pattern of an entry of `tasks` that may match; null where it surely matches, or for the crew's own rules. */
  task: string | null;
  /** Null for rules without a condition. */
  condition: CountingCondition | null;
}

export interface CountingCondition {
  text: string;
  /** `unknown`: values are missing. */
  verdict: 'holds' | 'unknown';
  /** The known values that the condition refers to. */
  values: readonly (readonly [name: string, value: string | number | boolean])[];
  missing: readonly string[];
}

/** Returns the conditions that select the rules of a request; none where its usual rules apply. */
export function conditionsFor(policy: CrewPolicy, request: RequestFacts): CountingCondition[] {
  return possibleRules(policy, request).flatMap(({ place }) => causeOf(policy, request, place).condition ?? []);
}

/** Returns why the rules at a place may apply to a request. */
export function causeOf(policy: CrewPolicy, request: RequestFacts, place: string): PossibleCause {
  const { task, condition } = partsOf(place);
  const judged = withoutTitle(request, policy);
  const isOnlyTask = possibleLevels(policy, judged).length === 1;
  const level = (task === null ? null : policy.tasks[task]) ?? policy;
  const values = valuesOf(judged, policy);
  const counting = countingRules(level, values).find((each) => each.place === condition);
  return {
    task: 'match' in level && !isOnlyTask ? level.match : null,
    condition: counting ? conditionOf(counting, values) : null,
  };
}

/** Returns why several rules may apply to a request; nothing where one applies, or where the same people decide by all of them. */
export function doubtsAbout({ execution, request, policies, crewPolicy }: RequestRules): PossibleCause[] {
  if (crewPolicy === null || distinctRules(policies).length < 2) return [];
  const question = requestFactsOf(execution, request);
  const causes = policies.map(({ place }) => causeOf(crewPolicy, question, place));
  return causes.filter(({ task, condition }) => task !== null || condition?.verdict === 'unknown');
}

/** Returns the rules to show to people: the first stands for all where it doesn't matter which of them applies. */
export function rulesToShow<Each extends Policy>(
  policies: readonly Each[],
  doubts: readonly PossibleCause[],
): readonly Each[] {
  return doubts.length > 0 ? distinctRules(policies) : policies.slice(0, 1);
}

function conditionOf({ policy: { condition }, verdict }: CountingRules, all: Values): CountingCondition {
  const { text, sees } = condition;
  const values = sees.flatMap((name) => {
    const value = all.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { text, verdict, values, missing: sees.filter((name) => !all.has(name)) };
}
