import { type ApiAnswer, callMethod } from '../api/call-method.ts';
import { type Json, type JsonObject, parseJson } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { readCall } from './read-call.ts';
import type { Exchange } from './request.ts';
import { type Served, serveCall } from './serve-call.ts';

/** Serves the Web API, such as `/api/chat.postMessage`. */
export async function handleWebApiCall(workspace: Workspace, exchange: Exchange, method: string): Promise<void> {
  const at = workspace.now();
  const call = await readCall(exchange);
  const apply = () => served(workspace, callMethod(workspace, { method, ...call }));
  await serveCall(workspace, exchange, { name: method, at, args: call.args, request: readable(call.args), apply });
}

function served(workspace: Workspace, answer: ApiAnswer): Served {
  const { body, broken, acceptedScopes, retryAfterSeconds } = answer;
  return {
    body,
    broken,
    status: retryAfterSeconds === undefined ? 200 : 429,
    headers: {
      'x-oauth-scopes': workspace.app.scopes.join(','),
      'x-accepted-oauth-scopes': acceptedScopes.join(','),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
    ...(body.ok !== true && { error: String(body.error) }),
  };
}

const NESTED = ['attachments', 'blocks', 'view', 'metadata', 'files'];

/** The arguments for the wire log, with JSON from form fields parsed. */
function readable(args: JsonObject): JsonObject {
  const shown = (name: string, value: Json) =>
    NESTED.includes(name) && typeof value === 'string' ? (parseJson(value) ?? value) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shown(name, value)]));
}
