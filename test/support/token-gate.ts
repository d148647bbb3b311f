import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CREW_TOKEN } from './world.ts';

/** A request as the bot sent it. */
interface GateCall {
  crew: string;
  route: string;
  token: string;
}

/** Stands before the crew service and lets people's own tokens through, too, for as long as they are valid. */
export interface TokenGate {
  /** The base address of a crew. */
  addressOf(crew: string): string;
  /** Everything but the polls, oldest first. */
  calls: GateCall[];
  /** The tokens of people that the service takes. */
  valid: Set<string>;
  /** Until it is resolved, answers wait. */
  held: Promise<void>;
  /** Breaks every connection instead of answering. */
  isDown: boolean;
  forwardTo(baseUrlOf: (crew: string) => string): void;
  close(): Promise<void>;
}

export async function startTokenGate(): Promise<TokenGate> {
  let baseUrlOf = (crew: string): string => {
    throw new Error(`nothing stands behind ${crew} yet`);
  };
  const server = createServer((request, response) => {
    answer(gate, { request, response, baseUrlOf }).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gate: TokenGate = {
    addressOf: (crew) => `http://127.0.0.1:${port}/${crew}`,
    calls: [],
    valid: new Set(),
    held: Promise.resolve(),
    isDown: false,
    forwardTo: (behind) => {
      baseUrlOf = behind;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}

interface Passing {
  request: IncomingMessage;
  response: ServerResponse;
  baseUrlOf: (crew: string) => string;
}

async function answer(gate: TokenGate, { request, response, baseUrlOf }: Passing): Promise<void> {
  const [, crew = '', route = '', ...rest] = (request.url ?? '').split('/');
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  if (route !== 'status') gate.calls.push({ crew, route, token });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  await gate.held;
  if (gate.isDown) return void request.socket.destroy();
  if (token !== CREW_TOKEN && !gate.valid.has(token)) {
    response.writeHead(401, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ detail: `Invalid token: ${token}` }));
  }
  const answered = await fetch([baseUrlOf(crew), route, ...rest].join('/'), {
    method: request.method ?? 'GET',
    headers: { authorization: `Bearer ${CREW_TOKEN}`, 'content-type': 'application/json' },
    ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answered.status, { 'content-type': 'application/json' });
  response.end(await answered.text());
}
