import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** When all of it had come, in milliseconds. */
  at: number;
  /** The connection it came by, counted from 1. */
  connection: number;
}

export interface AnsweringServer {
  origin: string;
  port: number;
  received: Received[];
  /** What the next requests are answered with; the last one stays. */
  answerWith(...answers: Answering[]): void;
  close(): Promise<void>;
}

/** A plain answer, or whatever else a server may do with a request. */
export type Answering =
  | { status: number; body?: string | object; headers?: Record<string, string> }
  | ((response: ServerResponse, request: IncomingMessage) => void);

/** A real server that does exactly what a test says. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const received: Received[] = [];
  const connections = new Map<object, number>();
  let answers: Answering[] = [{ status: 200, body: {} }];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!connections.has(request.socket)) connections.set(request.socket, connections.size + 1);
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at: Date.now(),
      connection: connections.get(request.socket) ?? 0,
    });
    const [answer, ...later] = answers;
    if (later.length > 0) answers = later;
    if (typeof answer === 'function') answer(response, request);
    else if (answer) plain(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    received,
    answerWith: (...next) => {
      answers = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function plain(response: ServerResponse, answer: Exclude<Answering, (...given: never[]) => void>): void {
  const { status, body = '', headers = {} } = answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
