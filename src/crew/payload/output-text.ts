import type { Json } from '../../core/json.ts';
import { pick } from './fields.ts';
import { isJsonObject, type JsonObject } from './json-body.ts';

/** Longer objects are shown as compact JSON, since indenting could make them enormous. */
const LONGEST_PRETTY = 1_048_576;
/** Indenting deeply nested hostile values would add more blanks than text. */
const MOST_GROWTH = 8;

/** An output as text for people: a string as it is, an object as indented JSON, nothing as ''. */
export function outputText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.toWellFormed();
  const compact = JSON.stringify(value);
  if (compact.length > LONGEST_PRETTY) return compact.toWellFormed();
  const pretty = JSON.stringify(value, null, 2);
  const shown = pretty.length > compact.length * MOST_GROWTH + 100 ? compact : pretty;
  return shown.toWellFormed();
}

export const RESULT_NAMES = ['result_json', 'resultJson', 'result', 'output', 'raw'];

/** The result of a run in a crew notification or status; null if there is none. */
export function resultOf(payload: JsonObject): string | null {
  const result = pick(payload, ...RESULT_NAMES);
  if (result === undefined) return null;
  const inner = isJsonObject(result) ? pick(result, 'output') : undefined;
  return outputText(inner ?? result);
}
