export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MOST_LEVELS = 100;

/**
 * Parsed JSON, or undefined if the text is not JSON or is nested deeper than 100 levels, as a parser may refuse:
 * https://www.rfc-editor.org/rfc/rfc8259#section-9
 */
export function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

export function stringAt(value: Json | undefined, key: string): string | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return typeof field === 'string' ? field : undefined;
}

export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return isObject(field) ? field : undefined;
}

/** The objects in the list at a key; empty if there is none. */
export function objectsAt(value: Json | undefined, key: string): JsonObject[] {
  const field = isObject(value) ? value[key] : undefined;
  return Array.isArray(field) ? field.filter(isObject) : [];
}

/** A copy without undefined values. */
export function compact(fields: { [key: string]: Json | undefined }): JsonObject {
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) copy[key] = value;
  return copy;
}
