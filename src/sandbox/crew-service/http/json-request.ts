// Reads the JSON that a request carries.
import { errorMessage } from '../error-message.ts';
import { isDeeperThan, type Json, parseJson } from '../json.ts';
import { type Outcome, ok, type Problem, refuse } from './answer.ts';

/** A request, as far as its JSON is concerned. `body` says why it can't be read. */
export type JsonRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Outcome<string>;
};

/** More than any inputs need, far less than what overflows the stack. */
const DEEPEST_BODY = 100;

export function readJson({ headers, body }: JsonRequest): Outcome<Json> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return malformed('The Content-Type must be application/json.');
  if (!body.ok) return body;
  try {
    const json = parseJson(body.value);
    return isDeeperThan(json, DEEPEST_BODY) ? malformed('The body is nested too deeply.') : ok(json);
  } catch (error) {
    return malformed(`The body is not JSON: ${errorMessage(error)}`);
  }
}

function malformed(message: string): { readonly ok: false; readonly problem: Problem } {
  return refuse({ kind: 'malformed', message });
}
