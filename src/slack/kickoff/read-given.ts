import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
import type { Say } from '../language/say.ts';
import { toInput } from './to-input.ts';

/** What a command line gives of a crew's inputs. */
interface GivenInputs {
  /** In the order of the crew, defaults included. */
  inputs: Inputs;
  /** The names of those that are still missing. */
  missing: string[];
  /** What can't be used, by the name of its input. */
  wrong: Record<string, string>;
  /** Names that the crew doesn't know. */
  unknown: string[];
}

/** Matches typed values with the crew's fields. A value that can't be used stands among the inputs as it was typed. */
export function readGiven(values: Record<string, string>, fields: InputField[], say: Say): GivenInputs {
  const read = fields.map((field) => ({ field, ...readValue(field, values, say) }));
  return {
    inputs: Object.fromEntries(read.flatMap(({ field, value }) => (value === null ? [] : [[field.name, value.given]]))),
    missing: read.filter(({ value }) => value === null).map(({ field }) => field.name),
    wrong: Object.fromEntries(read.flatMap(({ field, why }) => (why === null ? [] : [[field.name, why]]))),
    unknown: Object.keys(values).filter((name) => !fields.some((field) => field.name === name)),
  };
}

function readValue(
  field: InputField,
  values: Record<string, string>,
  say: Say,
): { value: { given: Json } | null; why: string | null } {
  const typed = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  if (typed === undefined) return { value: field.default === null ? null : { given: field.default }, why: null };
  const result = toInput(field, typed, say);
  return { value: { given: result.ok ? result.value : typed }, why: result.ok ? null : result.refusal };
}
