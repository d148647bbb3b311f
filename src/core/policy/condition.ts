// What rules can depend on: values of one request, as conditions and the approvers that an input names see them.

import type { Approval } from '../state/approval.ts';
import { type Execution, inputsOf, starterOf } from '../state/execution.ts';
import type { Inputs, Json } from '../values/json.ts';
import type { Millis } from '../values/time.ts';
import { hourOf } from '../values/working-hours.ts';

/** What rules may need to know of a request and its run. */
export interface Asked {
  taskId: string;
  /** Null while it isn't known. */
  taskName: string | null;
  /** Whether a program or a workflow asks, which gives it a title instead of a task's name. */
  isTitled: boolean;
  round: number;
  askedAt: Millis;
  inputs: Inputs;
  /** Null for a run that was started elsewhere. */
  starterId: string | null;
  channel: string;
  /** The keys of the stages that are complete, in their order. */
  stages: readonly string[];
  /** The places of the rules by which it was escalated. */
  escalated: readonly string[];
}

export const INPUT_KINDS = ['number', 'text', 'yes_no'] as const;

/** What an input is to a condition. Choices are what their options are. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** The inputs that a policy depends on, by name. */
export type InputKinds = Readonly<Record<string, InputKind>>;

export type Value = string | number | boolean;

/** Known values by their names: `task`, `round`, `starter`, `channel`, `hour` and `inputs.NAME`. What isn't known is missing. */
export type Values = ReadonlyMap<string, Value>;

export const VALUE_NAMES = ['task', 'round', 'starter', 'channel', 'hour'] as const;

const INPUT = 'inputs.';

export function inputValue(name: string): string {
  return `${INPUT}${name}`;
}

/** The name of the input that a value is of; null if it is another value. */
export function inputOf(value: string): string | null {
  return value.startsWith(INPUT) ? value.slice(INPUT.length) : null;
}

/** A condition of a policy, in the Common Expression Language (https://cel.dev). */
export interface Condition {
  text: string;
  /** The names of the values that it sees. */
  sees: readonly string[];
  /** Null if values that it takes to tell are missing. */
  holds(values: Values): boolean | null;
}

/** Reads the text of a condition; a sentence without its subject if it can't be one. */
export type ParseCondition = (text: string, inputs: InputKinds) => Condition | string;

/** Lists keep no more of an input, and everybody has to judge by the same. */
const LONGEST_TEXT = 199;

/** The values of a request, of the inputs only those that the policy depends on. Whatever is of another kind than its input is missing. */
export function valuesOf(asked: Asked, { inputs: kinds, timeZone }: { inputs: InputKinds; timeZone: string }): Values {
  const { taskName, round, starterId, channel, askedAt, inputs } = asked;
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

/** Whether rules that take an input to be of this kind see this value of it. */
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

/** What rules may need to know of a request. */
export function askedIn(
  execution: Pick<Execution, 'inputs' | 'channel' | 'origin'>,
  request: Pick<Approval, 'taskId' | 'taskName' | 'isTitled' | 'round' | 'askedAt' | 'stages' | 'inputs' | 'times'>,
): Asked {
  const { taskId, taskName, isTitled, round, askedAt } = request;
  const { channel } = execution;
  const inputs = inputsOf(execution, request);
  const starterId = starterOf(execution)?.id ?? null;
  const task = { taskId, taskName, isTitled };
  return { ...task, round, askedAt, inputs, channel, starterId, ...progressFacts(request) };
}

/** The part of a request that tells which stages are open, and for whom. */
export function progressFacts({
  stages,
  times,
}: Pick<Approval, 'stages' | 'times'>): Pick<Asked, 'stages' | 'escalated'> {
  return { stages: stages.map(({ key }) => key), escalated: times.escalations.map(({ rules }) => rules) };
}
