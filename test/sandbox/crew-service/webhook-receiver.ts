import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { shared } from '../shared.ts';
import { type JsonBody, parseBody } from './json-body.ts';
import { until } from './until.ts';

export type Received = {
  readonly path: string;
  readonly method: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly text: string;
  readonly body: JsonBody;
};

export interface WebhookReceiver {
  urlOf(path: string): string;
  /** What came to this path, oldest first. */
  at(path: string): readonly Received[];
  all(): readonly Received[];
  /** Waits for the n-th notification at this path, counted from 1. */
  nth(path: string, count: number): Promise<Received>;
  /** Answers with this status from now on, or not at all; where `pathEnd` is given, only at paths that end like that. */
  answerWith(status: number | 'silence', pathEnd?: string): void;
  close(): Promise<void>;
}

/** A client's webhook receiver on loopback that keeps what it is sent. */
export async function startReceiver(port = 0): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const statuses = new Map<string, number | 'silence'>([['', 200]]);
  const statusAt = (path: string) => [...statuses].findLast(([pathEnd]) => path.endsWith(pathEnd))?.[1] ?? 200;
  const server = createServer(async (request, response) => {
    const one = await receivedFrom(request);
    received.push(one);
    const status = statusAt(one.path);
    if (status !== 'silence') response.writeHead(status).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const at = (path: string) => received.filter((one) => one.path === path);
  return {
    urlOf: (path) => `${origin}${path}`,
    at,
    all: () => received,
    nth: (path, count) => until(`notification ${count} at ${path}`, () => at(path)[count - 1]),
    answerWith(next, pathEnd = '') {
      if (pathEnd === '') statuses.clear();
      statuses.set(pathEnd, next);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const sharedReceiver = (): WebhookReceiver => shared(startReceiver, (receiver) => receiver.close());

async function receivedFrom(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    path: request.url ?? '',
    method: request.method ?? '',
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    headers: request.headers,
    text,
    body: parseBody(text),
  };
}
