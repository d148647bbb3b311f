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

/** Sends an answer, even to a client that is still sending. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  if (!request.complete) discardRest(request);
  const { status, contentType, body, headers } = answer;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** More than any body that we accept. */
const MOST_UNREAD_BYTES = 32 * 1_048_576;

/** A client that is still sending reads our answer only afterwards, so some more of its body is read and discarded. */
function discardRest(request: IncomingMessage): void {
  let unread = 0;
  request.on('data', (chunk: Buffer) => {
    unread += chunk.length;
    if (unread > MOST_UNREAD_BYTES) request.destroy();
  });
  request.resume();
}
