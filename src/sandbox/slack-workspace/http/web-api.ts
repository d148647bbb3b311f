// The routes for the app: the Web API, the URLs of uploads, and response URLs.

import { textArg } from '../api/arguments.ts';
import { type ApiAnswer, type ApiRequest, callMethod } from '../api/call-method.ts';
import { receiveUpload } from '../api/files.ts';
import type { Warning } from '../api/method.ts';
import { applyResponse } from '../interactions/apply-response.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { bearerToken, type Exchange, multipart, readBody } from './request.ts';
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

const NESTED = ['attachments', 'blocks', 'view', 'metadata', 'files', 'outputs', 'loading_messages'];

/** The arguments for the wire log, with JSON from form fields parsed. */
function readable(args: JsonObject): JsonObject {
  const forWireLog = (name: string, value: Json) =>
    NESTED.includes(name) && typeof value === 'string' ? (parseJson(value) ?? value) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, forWireLog(name, value)]));
}

/**
 * Serves the URLs from `files.getUploadURLExternal`: takes the raw bytes, or a form with one file. Faults refer to it as
 * `upload`.
 */
export async function handleUpload(workspace: Workspace, exchange: Exchange, fileId: string): Promise<void> {
  const at = workspace.now();
  const { request } = exchange;
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  const isForm = parseContentType(type).type === MULTIPART_TYPE;
  const bytes = isForm ? await fileOf(body, type) : body;
  const facts = { file: fileId, bytes: bytes.length };
  await serveCall(workspace, exchange, {
    name: 'upload',
    at,
    args: facts,
    request: facts,
    apply() {
      const status = receiveUpload(workspace, fileId, bytes);
      if (status !== 200) return { status, body: { ok: false }, error: `http_${status}` };
      return { status, body: `OK - ${bytes.length}` };
    },
  });
}

/** Returns no bytes if the form can't be read or has no file. They aren't as many as announced, so the upload is refused. */
async function fileOf(body: Buffer, type: string): Promise<Buffer> {
  const form = await multipart(body, type).catch(() => undefined);
  return form?.file ?? Buffer.alloc(0);
}

const RESPONSE_DOCS = 'https://docs.slack.dev/interactivity/handling-user-interaction#message_responses';

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
  documentation: RESPONSE_DOCS,
};

function refused(status: number, error: string): Served {
  const detail = 'A response_url takes five messages within 30 minutes, each as chat.postMessage would take it.';
  return { status, error, body: { ok: false, error }, broken: [{ code: error, detail, documentation: RESPONSE_DOCS }] };
}

/** Slack has these at other addresses, here by the beginning of the path, and this workspace doesn't. */
const ELSEWHERE: { [family: string]: BrokenRule | undefined } = {
  services: {
    code: 'not_here',
    detail: 'Slack has incoming webhooks here, but this workspace doesn’t. Use chat.postMessage.',
    documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  },
  oauth: {
    code: 'not_here',
    detail: 'Slack installs apps here, but the app of this workspace is installed already: use its tokens.',
    documentation: 'https://docs.slack.dev/authentication/installing-with-oauth',
  },
};

/**
 * Answers 404 at the addresses of Slack that this workspace lacks. Resolves to false at any other address. The log doesn't
 * show the rest of the address, since that of a webhook is a secret.
 */
export async function handleElsewhere(workspace: Workspace, exchange: Exchange, family: string): Promise<boolean> {
  const lacking = Object.hasOwn(ELSEWHERE, family) ? ELSEWHERE[family] : undefined;
  if (!lacking) return false;
  const at = workspace.now();
  const apply = (): Served => ({ status: 404, body: lacking.detail, error: lacking.code, broken: [lacking] });
  await serveCall(workspace, exchange, { name: `/${family}`, at, args: {}, request: {}, apply });
  return true;
}

type ReadBody = { args: JsonObject; refusal?: string };

/**
 * Reads a call's arguments from the query and the body, and its token from where Slack takes one: the `Authorization`
 * header or a form, which comes first (https://github.com/denoland/clawpatrol/pull/116). In JSON it is ignored
 * (https://docs.slack.dev/apis/web-api#json-encoded-bodies), and in the query refused, also beside a header
 * (https://github.com/slack-rs/slack-rs-api/issues/107).
 */
async function readCall(exchange: Exchange): Promise<ApiRequest> {
  const { request, url } = exchange;
  const query = Object.fromEntries(url.searchParams);
  const bytes = await readBody(request);
  const contentType = parseContentType(request.headers['content-type'] ?? '');
  const hasBody = request.method === 'POST' && bytes.length > 0;
  const body: ReadBody = hasBody ? await readTyped(bytes, contentType, request.headers['content-type']) : { args: {} };
  const isJson = contentType.type === JSON_TYPE;
  const args = { ...query, ...body.args };
  const refusal = 'token' in query ? 'invalid_auth' : (body.refusal ?? whyNotNamedSo(args));
  return {
    args,
    isJson: hasBody && isJson,
    isPost: request.method === 'POST',
    token: (isJson ? undefined : textArg(body.args, 'token')) ?? bearerToken(request),
    warnings: hasBody ? charsetWarnings(contentType) : [],
    ...(refusal !== undefined && { refusal }),
  };
}

async function readTyped(bytes: Buffer, contentType: ContentType, header = ''): Promise<ReadBody> {
  const refusal = whyNotRead(contentType);
  if (refusal !== undefined) return { args: {}, refusal };
  const text = () => new TextDecoder(contentType.charset).decode(bytes);
  switch (contentType.type) {
    case JSON_TYPE:
      return fromJson(text());
    case FORM_TYPE:
      return { args: Object.fromEntries(new URLSearchParams(text())) };
    case MULTIPART_TYPE:
      return fromParts(bytes, header);
    default:
      return { args: {} };
  }
}

/** https://docs.slack.dev/apis/web-api#errors-specific-to-passing-json */
function fromJson(text: string): ReadBody {
  const parsed = parseJson(text);
  if (isObject(parsed)) return { args: parsed };
  return { args: {}, refusal: parsed === undefined ? 'invalid_json' : 'json_not_object' };
}

async function fromParts(bytes: Buffer, header: string): Promise<ReadBody> {
  try {
    return { args: (await multipart(bytes, header)).fields };
  } catch {
    return { args: {}, refusal: 'invalid_form_data' };
  }
}

/** https://docs.slack.dev/reference/methods/auth.test#errors */
function whyNotNamedSo(args: JsonObject): string | undefined {
  return Object.keys(args).every((name) => /^\w+$/.test(name)) ? undefined : 'invalid_arg_name';
}

type ContentType = { type: string; charset: string | undefined };

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const TEXT_TYPE = 'text/plain';

const CHARSETS = ['utf-8', 'iso-8859-1'];

function parseContentType(header: string): ContentType {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith('charset='));
  return { type, charset: charset?.slice('charset='.length).replaceAll('"', '') };
}

/**
 * Why a body of this type isn't read: the error code, or undefined.
 * https://docs.slack.dev/reference/methods/auth.test#errors
 */
function whyNotRead({ type, charset }: ContentType): string | undefined {
  if (type === '') return 'missing_post_type';
  if (![JSON_TYPE, FORM_TYPE, MULTIPART_TYPE, TEXT_TYPE].includes(type)) return 'invalid_post_type';
  return charset === undefined || CHARSETS.includes(charset) ? undefined : 'invalid_charset';
}

/**
 * JSON should name its charset, forms shouldn't. https://github.com/ansible-collections/community.general/issues/3932,
 * https://github.com/slackapi/python-slack-sdk/issues/692
 */
function charsetWarnings({ type, charset }: ContentType): Warning[] {
  const isForm = type === FORM_TYPE || type === MULTIPART_TYPE;
  if (isForm) return charset === undefined ? [] : [{ code: 'superfluous_charset' }];
  return charset === undefined ? [{ code: 'missing_charset' }] : [];
}
