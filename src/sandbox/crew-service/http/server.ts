import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonObject } from '../json.ts';
import { settlesWithin } from '../waiting.ts';
import type { Identify } from './access.ts';
import { type Answer, answerJson, type Outcome, type Problem, send, sendAndClose } from './answer.ts';
import { answerWithFaults, type FaultParts } from './answer-with-faults.ts';
import { isDeclaredTooLarge, parseTarget, readBody, readHeaders } from './read-request.ts';
import { READ, wrongMethod } from './routes.ts';

type ServerParts = FaultParts & {
  readonly identify: Identify;
  /** Serves `/openapi.json`. */
  readonly description: JsonObject;
  /** Serves `/_sandbox/`; undefined if the sandbox API is off. */
  readonly answerSandbox: ((request: SandboxRequest) => Promise<Answer>) | undefined;
  readonly bodyLimitBytes: number;
  readonly requestTimeoutMs: number;
};

export type SandboxRequest = {
  readonly method: string;
  /** The segments of the path below `/_sandbox/`, decoded. */
  readonly segments: readonly string[];
  readonly authorization: string | undefined;
  readonly body: Outcome<string>;
};

/** The HTTP server: limits and records requests, applies faults, writes responses. */
export function createCrewServer(parts: ServerParts): Server {
  const { requestTimeoutMs, bodyLimitBytes, dialect } = parts;
  const connectionsCheckingInterval = Math.min(requestTimeoutMs / 2, 1_000);
  const server = createServer({ requestTimeout: requestTimeoutMs, connectionsCheckingInterval }, listener);
  answerUnreadableRequests(server, dialect);
  // Asked before it sends, a client is spared a body that is refused: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isDeclaredTooLarge(request, bodyLimitBytes)) response.setHeader('connection', 'close');
    else response.writeContinue();
    listener(request, response);
  });
  return server;

  function listener(request: IncomingMessage, response: ServerResponse): void {
    handle(request, response, parts).catch((error: unknown) => {
      if (parts.stopping.aborted || request.destroyed) {
        response.destroy();
        return;
      }
      parts.logger.error({ error: String(error), path: parseTarget(request.url ?? '').path }, 'request failed');
      send(response, dialect.problem({ kind: 'fault', message: 'Server error: contact support.' }));
    });
  }
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const method = request.method ?? 'GET';
  const target = parseTarget(request.url ?? '/');
  const headers = readHeaders(request);
  const body = await readBody(request, parts.bodyLimitBytes);
  if (!headers.ok) {
    send(response, parts.dialect.problem(headers.problem));
  } else if (target.api === 'crew') {
    const caller = parts.identify(target.crew, headers.value.authorization);
    const received = { ...target, method, headers: headers.value, caller, body };
    await answerWithFaults(received, target.path, response, parts);
  } else if (target.api === 'sandbox' && parts.answerSandbox) {
    const { segments } = target;
    const { authorization } = headers.value;
    send(response, await parts.answerSandbox({ method, segments, authorization, body }));
  } else if (target.api === 'description') {
    // The description needs no token: it says nothing of the crews that are here.
    send(response, wrongMethod(method, READ, parts.dialect) ?? answerJson(200, parts.description));
  } else {
    send(response, parts.dialect.problem({ kind: 'not-found', message: `There is nothing at ${target.path}.` }));
  }
}

/** Answers requests that are too slow, or no HTTP, in the dialect, and closes their connections. */
function answerUnreadableRequests(server: Server, dialect: Dialect): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: { socket: Duplex }, response: ServerResponse) => latest.set(socket, response);
  server.on('request', remember).on('checkContinue', remember);
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    // An answer that has begun can't be followed by another one.
    if (connection.writable && latest.get(connection)?.headersSent !== true)
      sendAndClose(connection, dialect.problem(problemOf(error)));
    else connection.destroy();
  });
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { kind: 'timeout', message: 'The request took too long to arrive.' };
  if (code === 'HPE_HEADER_OVERFLOW') return { kind: 'headers-too-large', message: 'The headers are too large.' };
  return { kind: 'malformed', message: 'This is not an HTTP request.' };
}

/** Keeps count of the responses in progress, so that the server can be closed when they are done. */
export function createCloser(server: Server): (withinMs: number) => Promise<void> {
  const inProgress = new Set<ServerResponse>();
  let isClosing = false;
  for (const event of ['request', 'checkContinue'] as const) {
    server.prependListener(event, (_request: IncomingMessage, response: ServerResponse) => {
      inProgress.add(response);
      response.once('close', () => inProgress.delete(response));
      if (isClosing) endAfter(response);
    });
  }

  /** Takes no more connections, answers the requests that have come, and after `withinMs` cuts what is left. */
  return async (withinMs) => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    isClosing = true;
    for (const response of inProgress) endAfter(response);
    server.close();
    await settlesWithin(withinMs, closed);
    server.closeAllConnections();
    await closed;
  };
}

/** Otherwise its connection would stay open for the next request. */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
