import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../json.ts';

const BODY_LIMIT = 64 * 1024 * 1024;

export type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL };

/** The whole body. Rejects beyond 64 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text fields and the first file of a multipart body. */
export async function multipart(body: Buffer, type: string): Promise<{ fields: JsonObject; file: Buffer | undefined }> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: JsonObject = {};
  let file: Buffer | undefined;
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else file ??= Buffer.from(await value.arrayBuffer());
  }
  return { fields, file };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}

export function bearerToken(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
}
