// Answers to requests, and why a request is refused.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Json } from '../json.ts';

/** An HTTP response: `text` is sent as plain text, `json` as JSON. */
export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: Json } | { readonly text: string };
};

export function answerJson(status: number, json: Json): Answer {
  return { status, body: { json } };
}

export function bodyText(answer: Answer): string {
  return 'text' in answer.body ? answer.body.text : JSON.stringify(answer.body.json);
}

/** Why a request was refused. A refused request has no effect. */
export type Problem =
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'not-found'; readonly message: string }
  | { readonly kind: 'wrong-method'; readonly message: string }
  | { readonly kind: 'timeout'; readonly message: string }
  | { readonly kind: 'too-large'; readonly message: string }
  | { readonly kind: 'compressed'; readonly message: string }
  | { readonly kind: 'headers-too-large'; readonly message: string }
  | { readonly kind: 'not-pending'; readonly message: string }
  | { readonly kind: 'key-reused'; readonly message: string }
  | { readonly kind: 'missing-inputs'; readonly names: readonly string[] }
  | { readonly kind: 'missing-fields'; readonly names: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string };

export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

export function ok<Value>(value: Value): Outcome<Value> {
  return { ok: true, value };
}

export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

/** Goes on with the value, if there is one. */
export function andThen<In, Out>(
  outcome: Outcome<In>,
  next: (value: In) => Out,
): Out | { readonly ok: false; readonly problem: Problem } {
  return outcome.ok ? next(outcome.value) : outcome;
}

/** The codes of section 7 of the specification; the others come from RFC 9110, 431 from RFC 6585. */
export function statusOf(problem: Problem): number {
  switch (problem.kind) {
    case 'malformed':
    case 'not-pending':
      return 400;
    case 'unauthorized':
      return 401;
    case 'forbidden':
      return 403;
    case 'not-found':
      return 404;
    case 'wrong-method':
      return 405;
    case 'timeout':
      return 408;
    case 'too-large':
      return 413;
    case 'compressed':
      return 415;
    case 'headers-too-large':
      return 431;
    case 'missing-inputs':
    case 'missing-fields':
    case 'key-reused':
      return 422;
    case 'fault':
      return 500;
  }
}

export function messageOf(problem: Problem): string {
  switch (problem.kind) {
    case 'missing-inputs':
      return `Missing inputs: ${problem.names.join(', ')}`;
    case 'missing-fields':
      return `Missing fields: ${problem.names.join(', ')}`;
    case 'malformed':
    case 'not-pending':
    case 'key-reused':
    case 'unauthorized':
    case 'forbidden':
    case 'not-found':
    case 'wrong-method':
    case 'timeout':
    case 'too-large':
    case 'compressed':
    case 'headers-too-large':
    case 'fault':
      return problem.message;
  }
}

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
