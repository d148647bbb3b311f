import { textArg } from '../api/arguments.ts';
import type { ApiRequest } from '../api/call-method.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import {
  type ContentType,
  charsetWarnings,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  parseContentType,
  whyNotRead,
} from './content-type.ts';
import { bearerToken, type Exchange, multipart, readBody } from './request.ts';

type ReadBody = { args: JsonObject; refusal?: string };

/**
 * Reads a call's arguments from the query and the body, and its token from where Slack takes one: the `Authorization`
 * header or a form, which comes first (https://github.com/denoland/clawpatrol/pull/116). In JSON it is ignored
 * (https://docs.slack.dev/apis/web-api#json-encoded-bodies), and in the query refused, also beside a header
 * (https://github.com/slack-rs/slack-rs-api/issues/107).
 */
export async function readCall(exchange: Exchange): Promise<ApiRequest> {
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
