import type { z } from 'zod';

/** A request from Slack lacks a field that all requests of its kind have. Never holds a value: people may have typed it. */
export class UnreadableRequest extends Error {
  override name = 'UnreadableRequest';
  /** Where a field is missing or of the wrong type. */
  readonly fields: string[];

  constructor(fields: string[]) {
    super('A request from Slack lacks fields.');
    this.fields = fields;
  }
}

/** Deeper down are keys that a request makes up itself. */
const DEPTH = 3;
const MOST_FIELDS = 10;

/** @throws {UnreadableRequest} */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.slice(0, DEPTH).join('.'));
  throw new UnreadableRequest([...new Set(fields)].slice(0, MOST_FIELDS));
}
