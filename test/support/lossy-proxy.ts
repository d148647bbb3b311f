import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy before a server. */
export interface LossyProxy {
  origin: string;
  /** Where it forwards to. */
  forwardTo(origin: string): void;
  /** From now on it answers 503 to requests of this route that the server has accepted. */
  lose(route: string): void;
  close(): Promise<void>;
}

/**
 * Forwards each request, and answers as Envoy does where the connection to the server breaks before the answer has come
 * through: https://www.envoyproxy.io/docs/envoy/latest/faq/debugging/why_is_envoy_sending_internal_responses
 */
export async function startLossyProxy(): Promise<LossyProxy> {
  const lost = new Set<string>();
  let target = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const body = await bodyOf(request);
    const forwarded = await fetch(`${target}${path}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(request.method === 'POST' && { body }),
    });
    const text = await forwarded.text();
    if (forwarded.ok && lost.has(path.split('/').at(-1) ?? ''))
      response
        .writeHead(503)
        .end('upstream connect error or disconnect/reset before headers. reset reason: connection termination');
    else response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${portOf(server.address())}`,
    forwardTo(origin) {
      target = origin;
    },
    lose: (route) => void lost.add(route),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
