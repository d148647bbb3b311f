import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Dialect } from '../dialects/dialect.ts';
import type { Faults, RequestFault } from '../sandbox-api/faults.ts';
import type { Gates } from '../sandbox-api/gates.ts';
import type { RecordedRequest, Records } from '../sandbox-api/records.ts';
import { type Answer, bodyText, send } from './answer.ts';
import type { CrewRequest } from './routes.ts';

export type FaultParts = {
  readonly answer: (request: CrewRequest) => Promise<Answer>;
  readonly dialect: Dialect;
  readonly faults: Faults;
  readonly gates: Gates;
  readonly records: Records;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
};

/** Records and answers a request to a crew, with the fault that a test has prepared for it. Rejects when the service stops meanwhile. */
export async function answerWithFaults(
  request: CrewRequest,
  path: string,
  response: ServerResponse,
  parts: FaultParts,
): Promise<void> {
  const { crew, route, method, caller, body } = request;
  // Tokens stay out of the records.
  const { authorization: _, ...headers } = request.headers;
  const received = { crew, route, method, path, headers, body: body.ok ? body.value : '', ...(caller && { caller }) };
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
  if (reply === 'silence') await callerGone(response, parts.stopping);
  parts.records.update(number, { answeredAt: Date.now() });
  if (reply === 'disconnect') response.destroy();
  else if (reply !== 'silence') send(response, reply);
}

async function callerGone(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (!response.destroyed) await once(response, 'close', { signal });
}

async function delay({ delayMs, gate }: RequestFault, { gates, stopping }: FaultParts): Promise<void> {
  if (delayMs > 0) await pause(delayMs, undefined, { signal: stopping });
  if (gate !== undefined) await gates.wait(gate, stopping);
}

async function answerSafely(request: CrewRequest, parts: FaultParts): Promise<Answer> {
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
  if (typeof reply === 'string') return reply;
  return { status: reply.status, headers: reply.headers ?? {}, body: bodyText(reply) };
}
