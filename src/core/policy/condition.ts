// The values of one request on which rules can depend: conditions see them, and inputs name approvers by them.

import { type Execution, inputsOf, starterOf } from '../state/execution.ts';
import type { Discussion, HumanRequest } from '../state/request.ts';
import type { Inputs, Json } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import { hourOf } from '../values/working-hours.ts';

/** The facts about a request and its run on which rules may depend. */
export interface RequestFacts {
  taskId: string;
  /** Null until the crew names the task. */
  taskName: string | null;
  /** `taskName` is a title, given by a program or a workflow. */
  isTitled: boolean;
  round: number;
  askedAt: Millis;
  inputs: Inputs;
  /** Null for a run that was started elsewhere. */
  starterId: string | null;
  channel: string;
  /** The keys of the complete stages, in their order. */
  stages: readonly string[];
  /** The places of the rules by which the request was escalated. */
  escalated: readonly string[];
}

export const INPUT_KINDS = ['number', 'text', 'yes_no'] as const;

/** The kind of an input's values. A choice has the kind of its options. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** The inputs that a policy depends on, by name. */
export type InputKinds = Readonly<Record<string, InputKind>>;

export type Value = string | number | boolean;

/** The known values by name: `task`, `round`, `starter`, `channel`, `hour` and `inputs.NAME`. Unknown values are missing. */
export type Values = ReadonlyMap<string, Value>;

export const VALUE_NAMES = ['task', 'round', 'starter', 'channel', 'hour'] as const;

const INPUT = 'inputs.';

export function inputValue(name: string): string {
  return `${INPUT}${name}`;
}

/** Returns the input that a value belongs to; null for other values. */
export function inputOf(value: string): string | null {
  return value.startsWith(INPUT) ? value.slice(INPUT.length) : null;
}

/** A condition of a policy, in the Common Expression Language (https://cel.dev). */
export interface Condition {
  text: string;
  /** The names of the values that the condition uses. */
  sees: readonly string[];
  /** Returns whether the condition holds; null if a value on which that depends is missing. */
  holds(values: Values): boolean | null;
}

/** Reads the text of a condition. If it is wrong, returns why, as a sentence without its subject. */
export type ParseCondition = (text: string, inputs: InputKinds) => Condition | string;

/** Lists keep no more characters of an input, and everyone has to judge by the same text. */
const LONGEST_TEXT = 199;

/** Returns the values of a request, with the inputs that the policy uses. An input with a value of another kind is missing. */
export function valuesOf(
  request: RequestFacts,
  { inputs: kinds, timeZone }: { inputs: InputKinds; timeZone: string },
): Values {
  const { taskName, round, starterId, channel, askedAt, inputs } = request;
  const values = new Map<string, Value>([
    ['round', round],
    ['channel', channel],
    ['hour', hourOf(askedAt, timeZone)],
  ]);
  if (taskName !== null) values.set('task', taskName);
  if (starterId !== null) values.set('starter', starterId);
  for (const [name, kind] of Object.entries(kinds)) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value !== undefined && isOfKind(value, kind)) values.set(inputValue(name), value);
  }
  return values;
}

/** Returns true if a value is of the kind that rules expect of its input. */
export function isOfKind(value: Json, kind: InputKind): value is Value {
  switch (kind) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'text':
      return typeof value === 'string' && value.length <= LONGEST_TEXT;
    case 'yes_no':
      return typeof value === 'boolean';
  }
}

export function requestFactsOf(
  execution: Pick<Execution, 'inputs' | 'channel' | 'origin'>,
  request: Pick<HumanRequest, 'question' | 'discussion'>,
): RequestFacts {
  const { taskId, taskName, isTitled, round, askedAt } = request.question;
  const { channel } = execution;
  const inputs = inputsOf(execution, request.question);
  const starterId = starterOf(execution)?.id ?? null;
  const task = { taskId, taskName, isTitled };
  return { ...task, round, askedAt, inputs, channel, starterId, ...progressFacts(request.discussion) };
}

/** Returns the facts that tell which stage is open, and who may decide it. */
export function progressFacts({
  stages,
  times,
}: Pick<Discussion, 'stages' | 'times'>): Pick<RequestFacts, 'stages' | 'escalated'> {
  return { stages: stages.map(({ key }) => key), escalated: times.escalations.map(({ rules }) => rules) };
}
