import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Dialect } from '../dialects/dialect.ts';
import type { Caller } from '../executions/run.ts';
import type { Faults, RequestFault } from '../sandbox-api/faults.ts';
import type { Gates } from '../sandbox-api/gates.ts';
import type { RecordedRequest, Records } from '../sandbox-api/records.ts';
import { type Answer, bodyText } from './answer.ts';
import { parseTarget, readBody, readHeaders } from './read-request.ts';
import type { CrewRequest } from './routes.ts';

type ServerParts = {
  readonly answer: (request: CrewRequest) => Promise<Answer>;
  readonly callerOf: (crew: string, authorization: string | undefined) => Caller | undefined;
  /** Serves `/_sandbox/`; undefined if the sandbox API is off. */
  readonly answerSandbox: ((request: SandboxRequest) => Promise<Answer>) | undefined;
  readonly dialect: Dialect;
  readonly faults: Faults;
  readonly gates: Gates;
  readonly records: Records;
  readonly bodyLimitBytes: number;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
};

export type SandboxRequest = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
};

const SLOWEST_REQUEST_MS = 30_000;

/** The HTTP server: limits and records requests, applies faults, writes responses. */
export function createCrewServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      if (parts.stopping.aborted || request.destroyed) {
        response.destroy();
        return;
      }
      parts.logger.error({ error: String(error), path: request.url }, 'request failed');
      send(response, parts.dialect.problem({ kind: 'fault', message: 'Server error: contact support.' }));
    });
  });
  server.requestTimeout = SLOWEST_REQUEST_MS;
  return server;
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const method = request.method ?? 'GET';
  const target = parseTarget(path);
  const body = await readBody(request, parts.bodyLimitBytes);
  // The rest of an oversized body is left unread, so the connection can't be reused.
  if (body === undefined) response.setHeader('connection', 'close');
  if (target.api === 'crew') {
    const headers = readHeaders(request);
    const caller = parts.callerOf(target.crew, headers.authorization);
    await answerCrew({ ...target, method, headers, caller, body }, path, response, parts);
  } else if (target.api === 'sandbox' && parts.answerSandbox) {
    const { authorization } = request.headers;
    send(response, await parts.answerSandbox({ method, path: target.path, authorization, body: body ?? '' }));
  } else {
    send(response, parts.dialect.problem({ kind: 'not-found', message: `There is nothing at ${path}.` }));
  }
}

async function answerCrew(
  request: CrewRequest,
  path: string,
  response: ServerResponse,
  parts: ServerParts,
): Promise<void> {
  const { crew, route, method, caller, body } = request;
  // Tokens stay out of the records.
  const { authorization: _, ...headers } = request.headers;
  const received = { crew, route, method, path, headers, body: body ?? '', ...(caller && { caller }) };
  const number = parts.records.begin({ at: Date.now(), ...received });
  const fault = parts.faults.forRequest(request);
  if (fault) await delay(fault, parts);
  const applied = fault?.apply ?? true;
  const answer = applied ? await answerSafely(request, parts) : undefined;
  const reply = applyResponseFault(
    fault,
    answer ?? parts.dialect.problem({ kind: 'fault', message: 'A fault injected by a test.' }),
  );
  await fault?.meanwhile?.();
  parts.records.update(number, { applied, answer: recorded(reply) });
  if (reply === 'silence') await callerGone(response);
  parts.records.update(number, { answeredAt: Date.now() });
  if (reply === 'disconnect') response.destroy();
  else if (reply !== 'silence') send(response, reply);
}

async function callerGone(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}

async function delay({ delayMs, gate }: RequestFault, { gates, stopping }: ServerParts): Promise<void> {
  if (delayMs > 0) await pause(delayMs, undefined, { signal: stopping });
  if (gate !== undefined) await gates.wait(gate, stopping);
}

async function answerSafely(request: CrewRequest, parts: ServerParts): Promise<Answer> {
  try {
    return await parts.answer(request);
  } catch (error) {
    parts.logger.error({ error: String(error), crew: request.crew, route: request.route }, 'request failed');
    return parts.dialect.problem({ kind: 'fault', message: 'Server error: contact support.' });
  }
}

type Reply = Answer | 'silence' | 'disconnect';

function applyResponseFault(fault: RequestFault | undefined, answer: Answer): Reply {
  const respond = fault?.respond ?? 'normally';
  if (respond === 'normally') return answer;
  if (typeof respond === 'string') return respond;
  return {
    status: respond.status,
    headers: respond.headers,
    body: typeof respond.body === 'string' ? { text: respond.body } : { json: respond.body },
  };
}

function recorded(reply: Reply): NonNullable<RecordedRequest['answer']> {
  return typeof reply === 'string' ? reply : { status: reply.status, body: bodyText(reply) };
}

function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const type = 'text' in answer.body ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
  response.end(bodyText(answer));
}
