import { z } from 'zod';

/** What came as JSON. A test parses those of its fields that it needs as more than a value to compare. */
export type JsonBody = Readonly<Record<string, unknown>>;

const OBJECT = z.record(z.string(), z.unknown());

/** Throws for whatever isn't a JSON object. */
export function parseBody(text: string): JsonBody {
  return OBJECT.parse(JSON.parse(text));
}

/** A field that is text; throws if it isn't. */
export function textIn(body: JsonBody, field: string): string {
  return z.string().parse(body[field]);
}

/** A field that is an object; throws if it isn't. */
export function objectIn(body: JsonBody, field: string): JsonBody {
  return OBJECT.parse(body[field]);
}

/** A field that is a list of objects; throws if it isn't. */
export function listIn(body: JsonBody, field: string): JsonBody[] {
  return z.array(OBJECT).parse(body[field]);
}
