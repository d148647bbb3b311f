// Finds the rules that depend on a task's name. A request has to be complete by all of them until the name is known.

import { decideAlike } from '../core/policy/document.ts';
import type { CrewPolicy } from '../core/policy/policy.ts';

/** Deployed services name tasks by such ids. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the patterns of entries of `tasks` that only a name can match, and that change who decides. */
export function lateNames(policy: CrewPolicy): string[] {
  const waiting = policy.tasks.filter(({ match, looksAt }) => looksAt === 'name' && !ID.test(match) && !isAny(match));
  return waiting.filter((task) => differs(task, policy)).map(({ match }) => match);
}

/** Returns these patterns, and the conditions that depend on a task's name. */
export function lateRules(policy: CrewPolicy): string[] {
  const conditions = policy.when.map(({ condition }) => condition).filter(({ sees }) => sees.includes('task'));
  return [...lateNames(policy), ...conditions.map(({ text }) => text)];
}

/** Returns true for a pattern that matches every name. */
function isAny(match: string): boolean {
  return match.replaceAll('*', '') === '';
}

function differs(task: CrewPolicy['tasks'][number], crew: CrewPolicy): boolean {
  const [own, usual] = [task, crew].map((level) => [level, ...level.when]);
  return (own ?? []).some((rules) => (usual ?? []).every((each) => !decideAlike(rules, each)));
}
