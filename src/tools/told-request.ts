// A request that somebody describes at the command line. Whatever they leave out is unknown.

import type { PolicyPlaces } from '../config/crews.ts';
import { didYouMean } from '../config/file-mistakes.ts';
import { type Values, valuesOf } from '../core/policy/condition.ts';
import type { Crew } from '../core/policy/crew.ts';
import { partsOf } from '../core/policy/explained.ts';
import { countingRules, type PossibleRules, possibleLevels, possibleWith } from '../core/policy/in-force.ts';
import type { CrewPolicy } from '../core/policy/policy.ts';
import type { InputHint } from '../core/values/input-field.ts';
import { type Inputs, type Json, parseJson } from '../core/values/json.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { codeText } from '../slack/request/policy-sentences.ts';
import { type PolicySetting, placeOf } from './policy-settings.ts';

/** Unknown facts are null. */
export interface DescribedRequest {
  /** The name or the id of a task. */
  task: string | null;
  round: number;
  /** Id of the person who started the run. */
  starterId: string | null;
  channel: string | null;
  hour: number | null;
  inputs: Inputs;
}

/** The options of `npm run policy -- explain` about a request. */
export const REQUEST_OPTIONS = {
  input: { type: 'string', multiple: true },
  round: { type: 'string' },
  channel: { type: 'string' },
  hour: { type: 'string' },
} as const;

export interface RequestQuestion {
  readonly input?: readonly string[] | undefined;
  readonly round?: string | undefined;
  readonly channel?: string | undefined;
  readonly hour?: string | undefined;
}

type Circumstances = Omit<DescribedRequest, 'task' | 'starterId'>;

/** Returns null if no option describes the request. A refusal is one sentence. */
export function readRequest(
  crew: Pick<Crew, 'name' | 'inputs'>,
  { input: written = [], round, channel, hour }: RequestQuestion,
): Result<Circumstances | null, string> {
  if (written.length === 0 && round === undefined && channel === undefined && hour === undefined) return ok(null);
  const inputs = readInputs(crew, written);
  if (!inputs.ok) return inputs;
  if (round !== undefined && !/^[1-9]\d{0,5}$/.test(round)) return refuse('--round must be a whole number from 1.');
  if (hour !== undefined && !/^(1?\d|2[0-3])$/.test(hour)) return refuse('--hour must be an hour from 0 to 23.');
  if (channel !== undefined && !/^[CGD][A-Z0-9]+$/.test(channel))
    return refuse('--channel must be the id of a channel, such as C0123456789.');
  return ok({
    inputs: inputs.value,
    round: Number(round ?? 1),
    channel: channel ?? null,
    hour: hour === undefined ? null : Number(hour),
  });
}

/** Parses `NAME=VALUE` options. A refusal is one sentence. */
export function readInputs(
  { name: crew, inputs }: Pick<Crew, 'name' | 'inputs'>,
  written: readonly string[],
): Result<Inputs, string> {
  const values: Inputs = {};
  for (const each of written) {
    const [, name = each, text] = /^([^=]*)=(.*)$/s.exec(each) ?? [];
    if (text === undefined) return refuse(`--input ${each} has no value: write NAME=VALUE.`);
    const hint = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (!hint) {
      const meant = didYouMean(name, Object.keys(inputs));
      return refuse(`--input ${name} isn't among the inputs of ${crew}${meant === '' ? '.' : meant}`);
    }
    const value = readValue(text, hint);
    if (value === undefined) return refuse(`--input ${name} must be ${kindOf(hint)}.`);
    values[name] = value;
  }
  return ok(values);
}

/** Returns undefined if the text isn't a value of this kind. */
function readValue(text: string, { type, options }: InputHint): Json | undefined {
  switch (type) {
    case 'text':
    case 'long_text':
      return text;
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'yes_no':
      return { true: true, false: false }[text];
    case 'choice':
      return options.find((option) => String(option) === text);
    case 'json':
      return parseJson(text) as Json | undefined;
  }
}

function kindOf({ type, options }: InputHint): string {
  switch (type) {
    case 'text':
    case 'long_text':
      return 'a text';
    case 'date':
      return 'a date such as 2026-12-31';
    case 'number':
      return 'a number';
    case 'yes_no':
      return 'true or false';
    case 'choice':
      return `one of ${options.map(String).join(', ')}`;
    case 'json':
      return 'a JSON value';
  }
}

function taskTold({ task }: Pick<DescribedRequest, 'task'>) {
  return { taskId: task ?? '', taskName: task };
}

/** Returns the values that conditions depend on. */
function valuesTold(policy: CrewPolicy, request: DescribedRequest): Values {
  const { round, starterId, channel, hour, inputs } = request;
  const facts = { ...taskTold(request), isTitled: false, round, starterId, inputs, askedAt: 0, channel: channel ?? '' };
  const values = new Map(valuesOf({ ...facts, stages: [], escalated: [] }, policy));
  values.delete('hour');
  if (channel === null) values.delete('channel');
  if (hour !== null) values.set('hour', hour);
  return values;
}

/** Returns the rules that may turn out to apply, once these stages are complete. */
export function possibleRulesOf(
  policy: CrewPolicy,
  request: DescribedRequest,
  stages: readonly string[] = [],
): PossibleRules[] {
  return possibleWith(policy, { ...taskTold(request), values: valuesTold(policy, request), stages });
}

interface Told {
  policy: CrewPolicy;
  places: PolicyPlaces;
  told: DescribedRequest;
}

/** Returns sentences, with line numbers, about why these rules are possible; none if the rules depend on nothing. */
export function conditionSentences({ policy, places, told }: Told): string[] {
  const levels = possibleLevels(policy, taskTold(told));
  const values = valuesTold(policy, told);
  const tasks = levels.flatMap(({ rules, place }) => ('match' in rules ? [[rules.match, place] as const] : []));
  const doubts =
    levels.length === 1
      ? []
      : tasks.map(
          ([match, place]) =>
            `Whether it is “${match}” can’t be told, as task isn’t known (${placeIn(places, TASK, partsOf(place).task)})`,
        );
  const sentences = [...doubts, ...levels.flatMap((level) => levelSentences(level, { places, values }))];
  return possibleRulesOf(policy, told).length === 1
    ? sentences
    : [...sentences, 'Until that is known, an approval has to be complete by each of the rules that may apply.'];
}

/** The settings with the pattern of an entry of `tasks`. */
const TASK = ['match', 'id'] as const;

function levelSentences(
  { place: level, rules }: ReturnType<typeof possibleLevels>[number],
  { places, values }: { places: PolicyPlaces; values: Values },
): string[] {
  if (rules.when.length === 0) return [];
  const counting = countingRules(rules, values);
  if (counting.length === 0) return ['None of the conditions holds.'];
  return counting.map(({ place, policy: { condition }, verdict }) => {
    const text = `${codeText(condition.text)} (${placeIn(places, [`when.${place}.if`], partsOf(level).task)})`;
    if (verdict === 'holds') return `This condition holds: ${text}`;
    const unknown = condition.sees.filter((name) => !values.has(name));
    const isOne = unknown.length === 1;
    const why = unknown.length === 0 ? '' : `, as ${unknown.join(' and ')} ${isOne ? 'isn’t' : 'aren’t'} known`;
    return `Whether this condition holds can’t be told${why}: ${text}`;
  });
}

/** Returns when rules apply, such as `If it is “publish*”`; null if only one policy is possible. */
export function caseOf(
  policy: CrewPolicy,
  { place }: PossibleRules,
  possible: readonly PossibleRules[],
): string | null {
  if (possible.length === 1) return null;
  const { task, condition } = partsOf(place);
  const entry = task === null ? undefined : policy.tasks[task];
  const isTask = entry && possible.some((each) => partsOf(each.place).task !== task);
  const text = condition === null ? undefined : (entry ?? policy).when[condition]?.condition.text;
  const cases = [...(isTask ? [`it is “${entry.match}”`] : []), ...(text === undefined ? [] : [codeText(text)])];
  return cases.length === 0 ? 'Otherwise' : `If ${cases.join(' and ')}`;
}

/** Returns the place of settings in words, such as `crews.yml, lines 10, 11`. */
export function placeIn(...setting: Parameters<typeof placeOf>): string | null {
  const place = placeOf(...setting);
  if (place === null) return null;
  const { source } = place;
  const lines = place.lines.toSorted((one, other) => one - other);
  if (lines.length === 0) return source;
  return `${source}, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}

/** Returns the place of settings of rules; null if none of them is set. */
export function placeFor(places: PolicyPlaces, place: string, settings: readonly PolicySetting[]): string | null {
  const { task, condition } = partsOf(place);
  const isSet = (setting: PolicySetting) => placeOf(places, [setting], task) !== null;
  const under = (setting: PolicySetting): PolicySetting => {
    if (condition === null) return setting;
    const at = `when.${condition}` as const;
    const [, around] = /^stages\.\d+\.(.+)$/.exec(setting) ?? [];
    const isOwn = isSet(`${at}.stages`) || !isSet('stages');
    const candidates = [
      `${at}.${setting}` as const,
      ...(around !== undefined && isOwn ? [`${at}.${around}` as const] : []),
    ];
    return candidates.find(isSet) ?? setting;
  };
  return placeIn(places, settings.map(under), task);
}
