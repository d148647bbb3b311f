// The rules of a crew that wait for names of tasks: until a name is told, an approval has to be complete by all of them.

import { decideAlike } from '../core/policy/document.ts';
import type { CrewPolicy } from '../core/policy/policy.ts';

/** Deployed services name tasks by such ids. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The patterns of the entries for some tasks that only a task's name can match, and by which others decide than by the crew's own rules. */
export function lateNames(policy: CrewPolicy): string[] {
  const waiting = policy.tasks.filter(({ match, looksAt }) => looksAt === 'name' && !ID.test(match) && !isAny(match));
  return waiting.filter((task) => differs(task, policy)).map(({ match }) => match);
}

/** All rules of a crew that wait for names: of tasks, and of conditions that see the name. */
export function lateRules(policy: CrewPolicy): string[] {
  const conditions = policy.when.map(({ condition }) => condition).filter(({ sees }) => sees.includes('task'));
  return [...lateNames(policy), ...conditions.map(({ text }) => text)];
}

/** It is for all tasks, whatever they are called. */
function isAny(match: string): boolean {
  return match.replaceAll('*', '') === '';
}

function differs(task: CrewPolicy['tasks'][number], crew: CrewPolicy): boolean {
  const [own, usual] = [task, crew].map((level) => [level, ...level.when]);
  return (own ?? []).some((rules) => (usual ?? []).every((each) => !decideAlike(rules, each)));
}
