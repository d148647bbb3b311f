import type { InputField } from '../../core/crew.ts';
import type { Inputs, Json } from '../../core/json.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Say } from '../language/say.ts';
import { elementIn, type FormValues, typedText } from '../ui/form-values.ts';
import { cutLine } from '../ui/text/cut.ts';
import { inputBlockId } from './input-element.ts';
import { toInput } from './to-input.ts';

/** A sentence for the person who filled in the form, by block id. */
type FieldErrors = Record<string, string>;

/**
 * The inputs of a submitted form with the JSON types that the crew expects. A field that was left empty or is not in the
 * form takes its default. Without one it is left out, and the crew decides whether it is required.
 */
export function readKickoffForm(values: FormValues, fields: InputField[], say: Say): Result<Inputs, FieldErrors> {
  const read = fields.map((field) => ({ field, result: readField(values, field, say) }));
  const errors = read.flatMap(({ field, result }) =>
    result.ok ? [] : [[inputBlockId(field), cutLine(result.refusal, 500)]],
  );
  if (errors.length > 0) return refuse(Object.fromEntries(errors));
  const given = read.flatMap(({ field, result }): [string, Json][] =>
    result.ok && result.value !== undefined ? [[field.name, result.value]] : [],
  );
  return ok(Object.fromEntries(given));
}

function readField(values: FormValues, field: InputField, say: Say): Result<Json | undefined, string> {
  const blockId = inputBlockId(field);
  const typed = typedText(values, blockId);
  if (typed.trim() === '') return ok(field.default ?? undefined);
  const isPicked = elementIn(values, blockId)?.type === 'static_select';
  if (field.type === 'choice' && isPicked) return picked(field, typed, say);
  return toInput(field, typed, say);
}

/** The value of an option is its index. */
function picked({ options }: InputField, value: string, say: Say): Result<Json, string> {
  const option = options[Number(value)];
  return option === undefined ? refuse(say('input.not-offered')) : ok(option);
}
