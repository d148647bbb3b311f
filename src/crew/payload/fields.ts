import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { isJsonObject, type JsonObject } from './json-body.ts';
import { plainLine } from './plain-text.ts';

/** Fields in which services wrap the payload, one level deep. */
const WRAPPERS = ['data', 'body', 'payload'];

/** The objects that may be the payload: the body itself, then what it wraps, merged over the body's own fields. */
export function candidates(body: Json): JsonObject[] {
  if (!isJsonObject(body)) return [];
  const wrapped = WRAPPERS.map((key) => own(body, key)).filter(isJsonObject);
  return [body, ...wrapped.map((inner) => ({ ...body, ...inner }))];
}

/** The first non-null own field of these names. */
export function pick(object: JsonObject, ...names: string[]): Json | undefined {
  return names.map((name) => own(object, name)).find((value) => value !== undefined && value !== null);
}

/** Whether the object has an own field of one of these names, even if null. */
export function has(object: JsonObject, ...names: string[]): boolean {
  return names.some((name) => Object.hasOwn(object, name));
}

export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

const LONGEST_ID = 300;

/** An opaque id of the service. Numbers become text. */
export const requiredId = z
  .union([z.string(), z.int()])
  .transform((id) => String(id).toWellFormed().trim())
  .pipe(z.string().min(1).max(LONGEST_ID));

/** The same, optional; anything that can't be an id counts as missing. */
export const idField = requiredId.nullable().catch(null);

/** An optional text; anything else counts as missing. */
export const textField = z
  .string()
  .refine((text) => text.trim() !== '')
  .nullable()
  .catch(null);

/** An optional count; anything else counts as missing. */
export const countField = z.int().nonnegative().nullable().catch(null);

/** The first keys of an object, made safe to show, for reporting a payload that we can't read. */
export function keyNames(body: Json): string[] {
  return isJsonObject(body)
    ? Object.keys(body)
        .slice(0, 20)
        .map((key) => plainLine(key, 60))
    : [];
}
