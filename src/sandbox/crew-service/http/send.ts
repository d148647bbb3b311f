import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, bodyText } from './answer.ts';

/** Does nothing if an answer has been sent, or nobody waits for it. */
export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const text = bodyText(answer);
  response.writeHead(answer.status, headersFor(answer, text));
  response.end(text);
}

/** Answers what isn't an HTTP request that a `ServerResponse` could belong to, and closes the connection. */
export function sendAndClose(connection: Duplex, answer: Answer): void {
  const text = bodyText(answer);
  const headers = Object.entries({ ...headersFor(answer, text), connection: 'close' });
  const lines = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
    ...headers.map((one) => one.join(': ')),
  ];
  connection.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => connection.destroy());
}

function headersFor(answer: Answer, text: string): Record<string, string | number> {
  const type = 'text' in answer.body ? 'text/plain; charset=utf-8' : 'application/json';
  return { 'content-type': type, 'content-length': Buffer.byteLength(text), ...answer.headers };
}
