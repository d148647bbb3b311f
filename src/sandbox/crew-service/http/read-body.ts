import type { IncomingMessage } from 'node:http';
import { type Outcome, ok, refuse } from './problem.ts';

const TOO_LARGE = refuse({ kind: 'too-large', message: 'The body is too large.' });
const NOT_UTF8 = refuse({ kind: 'malformed', message: 'The body is not UTF-8.' });

/** How much of a body that is too large is taken, so that its client can finish sending and read the answer. */
const MOST_IGNORED_BYTES = 32 * 1024 * 1024;

/**
 * The whole body as text, or why there is none. For a body that is too large this is known before the client has sent
 * it all; closing the connection then would make the client lose the answer, so the rest is taken and ignored, within
 * bounds: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 * Rejects if the client breaks off.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Outcome<string>> {
  if (isDeclaredTooLarge(request, limitBytes)) {
    readOn(request, limitBytes);
    return Promise.resolve(TOO_LARGE);
  }
  return new Promise((resolve, reject) => {
    readOn(request, limitBytes, (body) => resolve(body === undefined ? TOO_LARGE : decoded(body)));
    request.once('error', reject);
  });
}

/** Whether the `Content-Length` exceeds the limit. */
export function isDeclaredTooLarge({ headers }: IncomingMessage, limitBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > limitBytes;
}

/** Takes the body from the connection. `done` gets it when it is complete, or undefined once it exceeds the limit. */
function readOn(request: IncomingMessage, limitBytes: number, done?: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      done?.(undefined);
    }
    if (bytes > limitBytes + MOST_IGNORED_BYTES) request.socket.destroy();
  });
  request.once('end', () => done?.(Buffer.concat(chunks)));
}

/** Invalid bytes would be replaced otherwise, and something else executed than was sent. */
function decoded(body: Buffer): Outcome<string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return NOT_UTF8;
  }
}
