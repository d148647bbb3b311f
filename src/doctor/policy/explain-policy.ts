import { type PolicyPlaces, type PolicySetting, placeOf } from '../../core/approval/policy/places.ts';
import { type Policy, taskPolicyFor } from '../../core/approval/policy/policy.ts';
import { type PolicyStatement, policyStatements, starterStatement } from '../../core/approval/policy/sentences.ts';
import type { Crew } from '../../core/crew.ts';

interface Explained {
  crew: Crew;
  places: PolicyPlaces;
  /** The name or the id of a task; null for tasks without a policy of their own. */
  task: string | null;
}

/** The policy that applies to a task of a crew, and where it stands among those of its tasks; null for the usual one. */
export function findPolicy({ approval }: Crew, task: string | null): { policy: Policy; index: number | null } {
  const own = task === null ? null : taskPolicyFor(approval, { taskId: task, taskName: task });
  return own === null ? { policy: approval, index: null } : { policy: own, index: approval.tasks.indexOf(own) };
}

/** The rules of a crew in plain sentences, each with the place that it comes from. */
export function explainPolicy({ crew, places, task }: Explained): string[] {
  const { policy, index } = findPolicy(crew, task);
  const nameOf = ({ name }: { name: string }) => name;
  const lineOf = ({ settings, sentence }: PolicyStatement) => `- ${sentence} (${placesOf(settings, places, index)})`;
  return [
    heading({ crew, places, task, index }),
    ...policyStatements({ policy, crew, nameOf }).map(lineOf),
    ...(task === null ? otherTasks(crew, places) : []),
    lineOf(starterStatement(crew.starters, nameOf)),
  ];
}

function heading({ crew, places, task, index }: Explained & { index: number | null }): string {
  if (task === null) return `Who decides for ${crew.name}:`;
  const match = index === null ? undefined : crew.approval.tasks[index]?.match;
  if (match === undefined) return `Who decides for ${crew.name}, task "${task}" (which has no rules of its own):`;
  return `Who decides for ${crew.name}, task "${task}" (by the rules for "${match}": ${placesOf(['match'], places, index)}):`;
}

function otherTasks({ approval }: Crew, places: PolicyPlaces): string[] {
  return approval.tasks.map(
    ({ match }, i) => `- Tasks like "${match}" have rules of their own. (${placesOf(['match'], places, i)})`,
  );
}

function placesOf(settings: readonly (PolicySetting | 'match')[], places: PolicyPlaces, index: number | null): string {
  const found = settings.map((setting) => placeOf(places, setting, index)).filter((place) => place !== null);
  return found.length === 0 ? 'default' : [...new Set(found)].join('; ');
}
