import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { Json, JsonObject } from '../json.ts';

const BODY_LIMIT = 64 * 1024 * 1024;

export type Exchange = { request: IncomingMessage; response: ServerResponse; url: URL };

/** The body is larger than the workspace takes. */
export class BodyTooLarge extends Error {}

/** The whole body. Rejects with `BodyTooLarge` beyond 64 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new BodyTooLarge(`A body may have ${BODY_LIMIT} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The text fields and the bytes of the first file; undefined if there is no file. */
type Form = { fields: JsonObject; file: Buffer | undefined };

/**
 * Parses a multipart body. Rejects if it can't be read. Bytes before the first boundary and after the closing one are
 * ignored: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
export function multipart(body: Buffer, type: string): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields: JsonObject = {};
    const files: Buffer[][] = [];
    const parser = new Busboy({
      headers: { 'content-type': type },
      limits: { fieldSize: BODY_LIMIT },
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (_name, stream) => {
      const chunks: Buffer[] = [];
      files.push(chunks);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    });
    parser.on('error', reject);
    parser.on('finish', () => resolve({ fields, file: files[0] && Buffer.concat(files[0]) }));
    parser.end(body);
  });
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
