import { applyResponse } from '../interactions/apply-response.ts';
import { isObject, type Json, parseJson } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { type Exchange, readBody } from './request.ts';
import { type Served, serveCall } from './serve-call.ts';

const DOCS = 'https://docs.slack.dev/interactivity/handling-user-interaction#message_responses';

/** Serves a `response_url`: takes a JSON message, answers `{"ok":true}`, or 404 or 400 with an error code. */
export async function handleResponseUrl(workspace: Workspace, exchange: Exchange): Promise<void> {
  const at = workspace.now();
  const body = parseJson((await readBody(exchange.request)).toString()) ?? null;
  await serveCall(workspace, exchange, {
    name: 'response_url',
    at,
    args: isObject(body) ? body : {},
    request: body,
    apply: () => respond(workspace, exchange.url.pathname, body),
  });
}

function respond(workspace: Workspace, path: string, body: Json): Served {
  const used = workspace.responseUrls.use(path);
  if ('refusal' in used) return refused(404, used.refusal);
  if (!isObject(body)) return refused(400, 'invalid_payload');
  const { error, broken } = applyResponse(workspace, used.target, body);
  if (error !== undefined) return refused(400, error);
  const isImplicit = used.target.originalTs !== undefined && !('replace_original' in body);
  const unsaid = isImplicit && !('delete_original' in body) ? [IMPLICIT_REPLACE] : [];
  return { status: 200, body: { ok: true }, broken: [...broken, ...unsaid] };
}

/** Legacy messages replace the original by default, newer ones don't, so apps should be explicit. */
const IMPLICIT_REPLACE: BrokenRule = {
  code: 'replace_original_unsaid',
  detail: 'Without replace_original, the kind of message decides whether the original is replaced; this one is not.',
  documentation: DOCS,
};

function refused(status: number, error: string): Served {
  const detail = 'A response_url takes five messages within 30 minutes, each as chat.postMessage would take it.';
  return { status, error, body: { ok: false, error }, broken: [{ code: error, detail, documentation: DOCS }] };
}
