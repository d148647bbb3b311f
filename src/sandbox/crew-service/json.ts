import { errorMessage } from './error-message.ts';

/** Anything `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

/** Throws `SyntaxError` if the text is not JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Parsed JSON, or undefined if the text is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A value of untyped code as JSON has it; undefined becomes null. Throws, with a reason that names `what`, if JSON can't hold it. */
export function jsonOf(value: unknown, what: string): Json {
  if (value === undefined) return null;
  const text = textOf(value, what);
  if (text === undefined) throw new TypeError(`${what} can't be JSON: it is a ${typeof value}.`);
  return parseJson(text);
}

function textOf(value: unknown, what: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The message on circles goes on for several lines.
    const [reason] = errorMessage(error).split('\n');
    throw new TypeError(`${what} can't be JSON: ${reason}.`, { cause: error });
  }
}

/** Returns true if arrays and objects are nested more than `most` levels deep. Check this before any recursive processing. */
export function isDeeperThan(value: Json, most: number): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= most && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return level.length > 0;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as readable text: strings unchanged, everything else as indented JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
