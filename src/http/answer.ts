// Answers of the HTTP server.

import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Answer {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
}

export function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) };
}

/** Says no more than a stranger may know. */
export function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { ...json(status, { status: 'refused', message }), headers };
}

/** Sends an answer. The connection ends with it if the client is still sending: the rest isn't wanted. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const { status, contentType, body, headers } = answer;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...(!request.complete && { connection: 'close' }),
  });
  const content = request.method === 'HEAD' ? '' : body;
  if (request.complete) {
    response.end(content);
    return;
  }
  response.write(content);
  afterReading(request, () => response.end());
}

/** Limits for a client that goes on sending although its answer is ready. */
const LINGER = { ms: 1_000, bytes: 32 * 1_048_576 };

/** Reads on and drops the bytes: many clients read an answer only after they have sent everything, and lose it if the connection is reset. */
function afterReading(request: IncomingMessage, end: () => void): void {
  let left = LINGER.bytes;
  const late = setTimeout(end, LINGER.ms);
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    })
    .once('close', () => {
      clearTimeout(late);
      end();
    });
}
