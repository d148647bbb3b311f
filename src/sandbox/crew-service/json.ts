/** What `JSON.parse` can return. Outputs, inputs and payloads of crews are of this type. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json };

/** Parses JSON text. Throws `SyntaxError` where the text is no JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** The same; undefined where the text is no JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether something lies deeper in it than so many arrays and objects. Asked before anything recursive meets it. */
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

/** A value as text for a person: strings as they are, everything else as indented JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
