// A repeated kickoff is known by the header `Idempotency-Key`, or `meta.requestId` in the body, the name that CrewAI's
// documentation gives it: https://docs.crewai.com/en/api-reference/kickoff
import { createHash } from 'node:crypto';
import type { Caller, Idempotency } from '../executions/run.ts';
import { isObject, type Json } from '../json.ts';
import { type Outcome, ok, refuse } from './answer.ts';

type Kickoff = {
  readonly headers: Readonly<Record<string, string>>;
  readonly crew: string;
  readonly caller: Caller;
  readonly body: Json;
};

/** Returns undefined where no key is given. A key is known only to the caller who gave it, and for one crew. Refuses an empty one. */
export function readIdempotency({ headers, crew, caller, body }: Kickoff): Outcome<Idempotency | undefined> {
  const header = headers['idempotency-key'];
  const key = header === undefined ? undefined : stringIn(header);
  if (key === '') return refuse({ kind: 'malformed', message: 'The Idempotency-Key is empty.' });
  const values = { header: key, body: requestIdIn(body) };
  const keys = Object.entries(values).flatMap(([place, value]) =>
    value === undefined ? [] : [hashOf([crew, caller, place, value])],
  );
  return ok(keys.length === 0 ? undefined : { keys, request: hashOf(body) });
}

/**
 * The header is a quoted string, as in structured fields; what isn't quoted is taken as it is, as many clients send it.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ (Syntax)
 */
function stringIn(header: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? header;
}

function requestIdIn(body: Json): string | undefined {
  const meta = isObject(body) ? body.meta : undefined;
  const id = isObject(meta) ? meta.requestId : undefined;
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** JSON has the same hash in whichever order its fields stand. */
function hashOf(value: Json): string {
  const sorted = (_name: string, held: Json) =>
    isObject(held) ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1))) : held;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex');
}
