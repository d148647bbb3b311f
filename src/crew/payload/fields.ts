import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { isJsonObject, type JsonObject } from './json-body.ts';
import { plainLine, wellFormed } from './plain-text.ts';

/** Where services put the payload when they wrap it, one level deep. */
const WRAPPERS = ['data', 'body', 'payload'];

/** The objects that may be the payload: the body itself, then what it wraps, with the body's own fields around it. */
export function candidates(body: Json): JsonObject[] {
  if (!isJsonObject(body)) return [];
  const wrapped = WRAPPERS.map((key) => own(body, key)).filter(isJsonObject);
  return [body, ...wrapped.map((inner) => ({ ...body, ...inner }))];
}

/** The first of these names that the object itself has with a value; what it inherits is not from the service. */
export function pick(object: JsonObject, ...names: string[]): Json | undefined {
  return names.map((name) => own(object, name)).find((value) => value !== undefined && value !== null);
}

/** Whether the object itself has one of these names, even with null. */
export function has(object: JsonObject, ...names: string[]): boolean {
  return names.some((name) => Object.hasOwn(object, name));
}

export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

const LONGEST_ID = 300;

/** An opaque id of the service. Numbers are taken as text. */
export const requiredId = z
  .union([z.string(), z.int()])
  .transform((id) => wellFormed(String(id)).trim())
  .pipe(z.string().min(1).max(LONGEST_ID));

/** The same where it may be missing; what can't be an id counts as none. */
export const idField = requiredId.nullable().catch(null);

/** A text that is there or not; what is no text counts as none. */
export const textField = z
  .string()
  .refine((text) => text.trim() !== '')
  .nullable()
  .catch(null);

/** A count of things done; what can't be one counts as none. */
export const countField = z.int().nonnegative().nullable().catch(null);

/** The first names of an object's keys, safe to show, for telling people about a shape that we can't read. */
export function keyNames(body: Json): string[] {
  return isJsonObject(body)
    ? Object.keys(body)
        .slice(0, 20)
        .map((key) => plainLine(key, 60))
    : [];
}
