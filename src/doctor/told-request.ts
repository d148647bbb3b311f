// A request as somebody at the command line tells it: what they leave out isn't known.

import { type Values, valuesOf } from '../core/approval/policy/condition.ts';
import { levelFor, rulesSeen, taskIndexFor } from '../core/approval/policy/in-force.ts';
import type { CrewPolicy } from '../core/approval/policy/policy.ts';
import { type PolicyPlaces, placeOf } from '../core/approval/policy/statements.ts';
import type { Inputs } from '../core/json.ts';

/** What isn't known is null. */
export interface ToldRequest {
  /** The name or the id of a task. */
  task: string | null;
  round: number;
  /** Who started the run. */
  starterId: string | null;
  channel: string | null;
  hour: number | null;
  inputs: Inputs;
}

export function taskTold({ task }: Pick<ToldRequest, 'task'>) {
  return { taskId: task ?? '', taskName: task };
}

/** The values that conditions see of it. */
export function valuesTold(policy: CrewPolicy, told: ToldRequest): Values {
  const { round, starterId, channel, hour, inputs } = told;
  const asked = { ...taskTold(told), round, starterId, inputs, askedAt: 0, channel: channel ?? '', stages: [] };
  const values = new Map(valuesOf(asked, policy));
  values.delete('hour');
  if (channel === null) values.delete('channel');
  if (hour !== null) values.set('hour', hour);
  return values;
}

interface Told {
  policy: CrewPolicy;
  places: PolicyPlaces;
  told: ToldRequest;
}

/** Which of the conditions of its task count, in sentences with their places; none where there are no conditions. */
export function conditionSentences({ policy, places, told }: Told): string[] {
  const task = taskTold(told);
  const { when } = levelFor(policy, task);
  if (when.length === 0) return [];
  const values = valuesTold(policy, told);
  const place = (condition: number) => placeIn(places, [`when.${condition}.if`], taskIndexFor(policy, task));
  const sentences = rulesSeen({ when }, values).flatMap((i) =>
    when.slice(i, i + 1).map(({ condition }) => {
      if (condition.holds(values)) return `This condition holds: ${condition.text} (${place(i)})`;
      const unknown = condition.sees.filter((name) => !values.has(name));
      const why =
        unknown.length === 0 ? '' : `, as ${unknown.join(', ')} ${unknown.length === 1 ? 'isn’t' : 'aren’t'} known`;
      return `Whether this condition holds can’t be told${why}: ${condition.text} (${place(i)})`;
    }),
  );
  const isUnsure = sentences.some((sentence) => sentence.startsWith('Whether'));
  if (sentences.length === 0) return ['None of the conditions holds.'];
  return isUnsure ? [...sentences, 'What can’t be told counts as the strictest of these rules.'] : sentences;
}

/** Where settings stand, as people find them: `crews.yml, lines 10, 11`. */
export function placeIn(...setting: Parameters<typeof placeOf>): string | null {
  const place = placeOf(...setting);
  if (place === null) return null;
  const { source, lines } = place;
  if (lines.length === 0) return source;
  return `${source}, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}
