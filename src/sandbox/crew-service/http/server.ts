import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Identify } from './access.ts';
import type { Answer } from './answer.ts';
import { answerUnreadableRequests } from './answer-unreadable-requests.ts';
import { answerWithFaults, type FaultParts } from './answer-with-faults.ts';
import { parseTarget } from './parse-target.ts';
import type { Outcome } from './problem.ts';
import { isDeclaredTooLarge, readBody } from './read-body.ts';
import { readHeaders } from './read-headers.ts';
import { send } from './send.ts';

type ServerParts = FaultParts & {
  readonly identify: Identify;
  /** Serves `/_sandbox/`; undefined if the sandbox API is off. */
  readonly answerSandbox: ((request: SandboxRequest) => Promise<Answer>) | undefined;
  readonly bodyLimitBytes: number;
  readonly requestTimeoutMs: number;
};

export type SandboxRequest = {
  readonly method: string;
  /** Of the path below `/_sandbox/`, decoded. */
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
  } else {
    send(response, parts.dialect.problem({ kind: 'not-found', message: `There is nothing at ${target.path}.` }));
  }
}
