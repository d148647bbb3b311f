import { stageKeys } from '../../src/core/policy/document.ts';
import type { PossibleRules } from '../../src/core/policy/in-force.ts';
import type { Policy } from '../../src/core/policy/policy.ts';

/** Rules as they are in force for a request, of the stage that they are at; unless told otherwise, those of a whole crew. */
export function inForce(policy: Policy, change: Partial<PossibleRules> = {}): PossibleRules {
  return { ...policy, place: '', stageKeys: stageKeys(policy.stages), isEscalated: false, ...change };
}
