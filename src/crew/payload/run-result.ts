import { pick } from './fields.ts';
import { isJsonObject, type JsonObject } from './json-body.ts';
import { outputText } from './output-text.ts';

export const RESULT_NAMES = ['result_json', 'resultJson', 'result', 'output', 'raw'];

/** The result of a run in a crew payload or a status; null where there is none. */
export function resultOf(payload: JsonObject): string | null {
  const result = pick(payload, ...RESULT_NAMES);
  if (result === undefined) return null;
  const inner = isJsonObject(result) ? pick(result, 'output') : undefined;
  return outputText(inner ?? result);
}
