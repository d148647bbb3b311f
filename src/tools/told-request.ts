// A request as somebody at the command line tells it: what they leave out isn't known.

import type { PolicyPlaces } from '../config/crews.ts';
import { didYouMean } from '../config/file-mistakes.ts';
import { type Values, valuesOf } from '../core/policy/condition.ts';
import type { Crew, InputHint } from '../core/policy/crew.ts';
import { stageKey } from '../core/policy/document.ts';
import { countingRules, inForce, levelFor, taskIndexFor } from '../core/policy/in-force.ts';
import type { CrewPolicy, Policy } from '../core/policy/policy.ts';
import { type Inputs, type Json, parseJson } from '../core/values/json.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import { codeText } from '../slack/request/policy-sentences.ts';
import { type PolicySetting, placeOf } from './policy-settings.ts';

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

/** What `npm run policy -- explain` takes about a request. */
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

type Circumstances = Omit<ToldRequest, 'task' | 'starterId'>;

/** Null where nothing of it is told. The refusal is one sentence. */
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

/** The refusal is one sentence. */
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

/** Undefined if it can't be one. */
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

/** The rules in force for it, of each stage as they are once those before it are complete. */
export function stepsInForce(policy: CrewPolicy, told: ToldRequest): [Policy, ...Policy[]] {
  const values = valuesTold(policy, told);
  const after = (stages: readonly string[]) => inForce(policy, { ...taskTold(told), values, stages });
  const first = after([]);
  const keys = first.stages.map(stageKey);
  return [first, ...keys.slice(1).map((_, i) => after(keys.slice(0, i + 1)))];
}

interface Told {
  policy: CrewPolicy;
  places: PolicyPlaces;
  told: ToldRequest;
}

/** Which conditions count for it, among those of its task. `isSure`: nothing is missing to tell. */
function countingConditions(policy: CrewPolicy, told: ToldRequest) {
  const { when } = levelFor(policy, taskTold(told));
  const values = valuesTold(policy, told);
  const counting = countingRules({ when }, values);
  return { when, values, counting, isSure: counting.every(({ verdict }) => verdict === 'holds') };
}

/** The same in sentences, with the places; none where there are no conditions. */
export function conditionSentences({ policy, places, told }: Told): string[] {
  const { when, values, counting, isSure } = countingConditions(policy, told);
  if (when.length === 0) return [];
  if (counting.length === 0) return ['None of the conditions holds.'];
  const index = taskIndexFor(policy, taskTold(told));
  const sentences = counting.map(({ place, policy: { condition }, verdict }) => {
    const text = `${codeText(condition.text)} (${placeIn(places, [`when.${place}.if`], index)})`;
    if (verdict === 'holds') return `This condition holds: ${text}`;
    const unknown = condition.sees.filter((name) => !values.has(name));
    const isOne = unknown.length === 1;
    const why = unknown.length === 0 ? '' : `, as ${unknown.join(' and ')} ${isOne ? 'isn’t' : 'aren’t'} known`;
    return `Whether this condition holds can’t be told${why}: ${text}`;
  });
  return isSure ? sentences : [...sentences, 'What can’t be told counts as the strictest of the rules that may apply.'];
}

/** Where settings stand, as people find them: `crews.yml, lines 10, 11`. */
export function placeIn(...setting: Parameters<typeof placeOf>): string | null {
  const place = placeOf(...setting);
  if (place === null) return null;
  const { source } = place;
  const lines = place.lines.toSorted((one, other) => one - other);
  if (lines.length === 0) return source;
  return `${source}, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
}

/** Where settings stand that apply to a request. Null where all of them are left out. */
export function placeFor({ policy, places, told }: Told, settings: readonly PolicySetting[]): string | null {
  const index = taskIndexFor(policy, taskTold(told));
  const { counting, isSure } = countingConditions(policy, told);
  const isSet = (setting: PolicySetting) => placeOf(places, [setting], index) !== null;
  // Stages that the rules together make have no place of their own.
  const under = (setting: PolicySetting, condition: number): PolicySetting => {
    const at = `when.${condition}` as const;
    const [, around] = /^stages\.\d+\.(.+)$/.exec(setting) ?? [];
    const isOwn = isSet(`${at}.stages`) || !isSet('stages');
    const found = [`${at}.${setting}` as const, ...(around !== undefined && isOwn ? [`${at}.${around}` as const] : [])];
    return found.find(isSet) ?? setting;
  };
  const all = settings.flatMap((setting) => [
    ...counting.map(({ place }) => under(setting, place)),
    ...(counting.length === 0 || !isSure ? [setting] : []),
  ]);
  return placeIn(places, all, index);
}
