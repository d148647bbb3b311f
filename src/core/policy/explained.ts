// Why rules apply to a request, or may turn out to, for people who ask.

import { type Asked, askedIn, type Values, valuesOf } from './condition.ts';
import { distinctRules } from './document.ts';
import { asRulesKnow, type CountingRules, countingRules, possibleLevels, possibleRules } from './in-force.ts';
import type { CrewPolicy, Policy } from './policy.ts';
import type { RequestRules } from './rules.ts';

/** The conditions of a policy, as they are written: of the crew's rules, and of those of its tasks. */
export interface ConditionTexts {
  when: readonly string[];
  tasks: readonly { match: string; when: readonly string[] }[];
}

/** By the hashes of policies. */
export type PolicyConditions = ReadonlyMap<string, ConditionTexts>;

/** A place of rules in the document of a policy, in its parts; null for the rules of the whole crew, and for those without conditions. */
export function partsOf(place: string): { task: number | null; condition: number | null } {
  const [, task, condition] = /^(?:\/tasks\/(\d+))?(?:\/when\/(\d+))?$/.exec(place) ?? [];
  return {
    task: task === undefined ? null : Number(task),
    condition: condition === undefined ? null : Number(condition),
  };
}

/** What is written of the rules at a place: the pattern of their tasks, and their condition; null where there is none. */
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

/** Why rules may turn out to apply. */
export interface PossibleCause {
  /** The pattern of an entry of `tasks` whose task this may be; null where that is certain, or for the crew's own rules. */
  task: string | null;
  /** A condition, and whether it holds; null for rules without one. */
  condition: CountingCondition | null;
}

export interface CountingCondition {
  text: string;
  /** `unknown`: nobody can tell, since values are missing. */
  verdict: 'holds' | 'unknown';
  /** What it sees, as far as it is known. */
  values: readonly (readonly [name: string, value: string | number | boolean])[];
  missing: readonly string[];
}

/** The conditions that made the rules of a request what they are; none where its usual rules apply. */
export function conditionsFor(policy: CrewPolicy, asked: Asked): CountingCondition[] {
  return possibleRules(policy, asked).flatMap(({ place }) => causeOf(policy, asked, place).condition ?? []);
}

/** Why the rules of a place may turn out to apply to a request. */
export function causeOf(policy: CrewPolicy, asked: Asked, place: string): PossibleCause {
  const { task, condition } = partsOf(place);
  const named = asRulesKnow(asked, policy);
  const isOnlyTask = possibleLevels(policy, named).length === 1;
  const level = (task === null ? null : policy.tasks[task]) ?? policy;
  const known = valuesOf(named, policy);
  const counting = countingRules(level, known).find((each) => each.place === condition);
  return {
    task: 'match' in level && !isOnlyTask ? level.match : null,
    condition: counting ? conditionOf(counting, known) : null,
  };
}

/** Why it isn't known which rules apply to a request; nothing where it is, or where all of them let the same people decide alike. */
export function doubtsAbout({ execution, request, policies, crewPolicy }: RequestRules): PossibleCause[] {
  if (crewPolicy === null || distinctRules(policies).length < 2) return [];
  const asked = askedIn(execution, request);
  const causes = policies.map(({ place }) => causeOf(crewPolicy, asked, place));
  return causes.filter(({ task, condition }) => task !== null || condition?.verdict === 'unknown');
}

/** The rules that people are told of: the first stands for all where it doesn't matter which of them apply. */
export function rulesToTell<Each extends Policy>(
  policies: readonly Each[],
  doubts: readonly PossibleCause[],
): readonly Each[] {
  return doubts.length > 0 ? distinctRules(policies) : policies.slice(0, 1);
}

function conditionOf({ policy: { condition }, verdict }: CountingRules, known: Values): CountingCondition {
  const { text, sees } = condition;
  const values = sees.flatMap((name) => {
    const value = known.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { text, verdict, values, missing: sees.filter((name) => !known.has(name)) };
}
