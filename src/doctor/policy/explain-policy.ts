import { type PolicyPlaces, placeOf } from '../../core/approval/policy/places.ts';
import { type Policy, policyFor, taskIndexFor } from '../../core/approval/policy/policy.ts';
import { type PolicyStatement, policyStatements, starterStatement } from '../../core/approval/policy/statements.ts';
import type { Crew } from '../../core/crew.ts';
import { placeWords, policySentence } from '../../slack/approval/policy-sentences.ts';
import { sayIn } from '../../slack/language/say.ts';

/** The command line is in English. */
const say = sayIn('en');

interface Explained {
  crew: Crew;
  places: PolicyPlaces;
  /** The name or the id of a task; null for tasks without a policy of their own. */
  task: string | null;
}

/** The policy that applies to a task of a crew, and where it stands among those of its tasks; null for the usual one. */
export function findPolicy({ approval }: Crew, task: string | null): { policy: Policy; index: number | null } {
  if (task === null) return { policy: approval, index: null };
  const meant = { taskId: task, taskName: task };
  return { policy: policyFor(approval, meant), index: taskIndexFor(approval, meant) };
}

/** The rules of a crew in plain sentences, each with the place that it comes from. */
export function explainPolicy({ crew, places, task }: Explained): string[] {
  const { policy, index } = findPolicy(crew, task);
  const lineOf = (rule: PolicyStatement) => {
    const sentence = policySentence(rule, { say, nameOf: ({ name }) => name });
    return `- ${sentence} (${placeIn(places, rule.settings, index) ?? 'default'})`;
  };
  return [
    heading({ crew, places, task, index }),
    ...policyStatements({ policy, crew }).map(lineOf),
    ...(task === null ? otherTasks(crew, places) : []),
    lineOf(starterStatement(crew.starters)),
  ];
}

function heading({ crew, places, task, index }: Explained & { index: number | null }): string {
  if (task === null) return `Who decides for ${crew.name}:`;
  const match = index === null ? undefined : crew.approval.tasks[index]?.match;
  if (match === undefined) return `Who decides for ${crew.name}, task "${task}" (which has no rules of its own):`;
  return `Who decides for ${crew.name}, task "${task}" (by the rules for "${match}": ${placeIn(places, ['match'], index)}):`;
}

function otherTasks({ approval }: Crew, places: PolicyPlaces): string[] {
  return approval.tasks.map(
    ({ match }, i) => `- Tasks like "${match}" have rules of their own. (${placeIn(places, ['match'], i)})`,
  );
}

function placeIn(...asked: Parameters<typeof placeOf>): string | null {
  const place = placeOf(...asked);
  return place && placeWords(say, place);
}
