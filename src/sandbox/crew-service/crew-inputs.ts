import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import type { z } from 'zod';
import type { CheckedInputs } from './crew-description.ts';
import { type Json, type JsonObject, jsonIn } from './json.ts';

/** The inputs that a crew takes: a zod object, which may have rules across several of them. */
type InputsSchema = z.ZodObject;

/** Checks what a kickoff gives, and computes defaults: once for all tasks of the run. */
export async function checkInputs(schema: InputsSchema, given: JsonObject): Promise<CheckedInputs> {
  const parsed = await schema.safeParseAsync(given);
  if (parsed.success) {
    const inputs = { ...given, ...defaultsIn(parsed.data, given) };
    return { ok: true, inputs, typed: encoded(parsed.data) };
  }
  const missing = new Set<string>();
  const invalid: string[] = [];
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    if (isEmpty(given[name]) && (await isRequired(schema, name))) missing.add(name);
    else invalid.push(path.length === 0 ? message : `${path.join('.')}: ${message}`);
  }
  return { ok: false, missing: [...missing], invalid };
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

async function isRequired(schema: InputsSchema, name: string): Promise<boolean> {
  const field = schema.shape[name] as z.ZodType | undefined;
  return field !== undefined && !(await field.safeParseAsync(undefined)).success;
}

/** As JSON, for reports: the tasks get the encoded ones. */
function defaultsIn(parsed: Record<string, unknown>, given: JsonObject): JsonObject {
  const added = Object.entries(parsed).filter(([name, value]) => given[name] === undefined && value !== undefined);
  return Object.fromEntries(added.map(([name, value]) => [name, asJson(value)]));
}

function asJson(value: unknown): Json {
  return typeof value === 'bigint' ? String(value) : (jsonIn(JSON.stringify(value) ?? 'null') ?? null);
}

/** JSON has no dates; this has. Undefined for objects of other classes, which would come back as plain ones. */
function encoded(parsed: Record<string, unknown>): string | undefined {
  try {
    const bytes = serialize(parsed);
    return isDeepStrictEqual(deserialize(bytes), parsed) ? bytes.toString('base64') : undefined;
  } catch {
    return undefined;
  }
}

type StoredInputs = { readonly inputs: JsonObject; readonly typedInputs?: string | undefined };

/** The inputs with the types of the schema. What can't be encoded is parsed again, for each task. */
export function readInputs(schema: InputsSchema, { inputs, typedInputs }: StoredInputs): Promise<unknown> | unknown {
  if (typedInputs === undefined) return schema.parseAsync(inputs);
  return deserialize(Buffer.from(typedInputs, 'base64'));
}
