import type { IncomingMessage } from 'node:http';
import { type Outcome, ok, refuse } from './problem.ts';

/** Which of two was meant can't be told, and another server on the way may have taken the other one. */
const GIVEN_ONCE = ['host', 'authorization', 'content-type'];

/**
 * The headers of a request; repeated ones are joined with commas. Refuses those that may be given only once:
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.3, for `Host` https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function readHeaders({ headersDistinct }: IncomingMessage): Outcome<Record<string, string>> {
  const twice = GIVEN_ONCE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return refuse({ kind: 'malformed', message: `The header ${twice} is given twice.` });
  const entries = Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
  return ok(Object.fromEntries(entries));
}
