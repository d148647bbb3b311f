// The rules of a request for people who ask: all of its stages, and why these rules apply.

import { type Asked, valuesOf } from './condition.ts';
import { stageKey } from './document.ts';
import { countingRules, inForce, levelFor, taskIndexFor } from './in-force.ts';
import type { CrewPolicy, Policy, StagePolicy } from './policy.ts';

/** The rules in force, with the people whom inputs name also in the stages that aren't open. */
export function wholePolicyFor(policy: CrewPolicy, asked: Asked): Policy {
  const placed = { ...asked, values: valuesOf(asked, policy) };
  const open = inForce(policy, placed);
  const keys = open.stages.map(stageKey);
  const stages = open.stages.map(({ name }, i): StagePolicy => {
    const { stages: _, stage: _at, ...rules } = inForce(policy, { ...placed, stages: keys.slice(0, i) });
    return { ...rules, name };
  });
  return { ...open, stages };
}

/** The conditions of a policy, as they are written: of the crew's rules, and of those of its tasks. */
export interface ConditionTexts {
  when: readonly string[];
  tasks: readonly { match: string; when: readonly string[] }[];
}

/** By the hashes of policies. */
export type PolicyConditions = ReadonlyMap<string, ConditionTexts>;

/** Those among the rules of a task, in their order. */
export function conditionTextsOf(
  texts: ConditionTexts,
  task: { taskId: string; taskName: string | null },
): readonly string[] {
  const index = taskIndexFor(texts, task);
  return (index === null ? undefined : texts.tasks[index])?.when ?? texts.when;
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
  const level = levelFor(policy, asked);
  const known = valuesOf(asked, policy);
  return countingRules(level, known).map(({ policy: { condition }, verdict }): CountingCondition => {
    const { text, sees } = condition;
    const values = sees.flatMap((name) => {
      const value = known.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { text, verdict, values, missing: sees.filter((name) => !known.has(name)) };
  });
}
