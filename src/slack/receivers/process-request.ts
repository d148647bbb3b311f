import { type AckFn, type App, MultipleListenerError, type ReceiverEvent, UnknownError } from '@slack/bolt';
import type { Logger } from 'pino';
import type { AddToLog, LogFacts } from '../interaction/log-facts.ts';
import { parseRequest } from './parse-request.ts';
import { type RequestKind, requestKind } from './request-kind.ts';

/** What became of a request. Those that weren't handled are not acknowledged, so that Slack shows people an error. */
export type Handling = 'handled' | 'unknown' | 'unreadable' | 'failed';

/** A request from Slack as a receiver has decoded it. */
export interface IncomingRequest {
  body: Record<string, unknown>;
  /** Acknowledges it. The answer is what Slack is to show or to do. */
  ack: AckFn<object | string>;
  retry: Pick<ReceiverEvent, 'retryNum' | 'retryReason'>;
}

/** What Slack says of an event that it delivers again. https://docs.slack.dev/apis/events-api/#error-handling */
export function retryOf({ number, reason }: { number: unknown; reason: unknown }): IncomingRequest['retry'] {
  return {
    ...(number !== undefined && { retryNum: Number(number) }),
    ...(reason !== undefined && { retryReason: String(reason) }),
  };
}

interface Observers {
  log: Logger;
  /** Called for each request that fails by our fault, for metrics. */
  onFault: () => void;
}

/**
 * Hands a request to the app. Events, which Bolt acknowledges before their listeners run, are acknowledged afterwards. Never
 * rejects: what fails is logged, our own faults as errors. Of each other request by a person, one line is logged, to which
 * listeners add by `context.addToLog`.
 */
export async function processRequest(
  app: Pick<App, 'processEvent'>,
  { body, ack, retry }: IncomingRequest,
  { log, onFault }: Observers,
): Promise<Handling> {
  const kind = requestKind(body);
  if (kind === 'other') {
    logUnreadable(log, { kind, reason: 'unknown type' });
    return 'unknown';
  }
  const request = parseRequest(kind, body);
  if (!request.ok) {
    logUnreadable(log, { kind, reason: 'UnreadableRequest', fields: request.refusal });
    return 'unreadable';
  }
  const facts: Partial<LogFacts> = {};
  const addToLog: AddToLog = (more) => Object.assign(facts, more);
  const isEvent = kind === 'event';
  try {
    await app.processEvent({
      body: request.value,
      ack: isEvent ? async () => {} : ack,
      customProperties: { addToLog },
      ...retry,
    });
    if (isEvent) await ack();
    if (facts.by !== undefined) log.info({ kind, ...facts }, 'answered a request');
    return 'handled';
  } catch (error) {
    onFault();
    for (const err of faultsIn(error)) log.error({ err, kind, ...facts }, 'a listener failed');
    return 'failed';
  }
}

/** Why a request from Slack can't be read, without a value of it: people may have typed it. */
interface Unreadable {
  kind: RequestKind;
  reason: string;
  /** Where one is missing or of the wrong type. */
  fields?: string[];
}

export function logUnreadable(log: Logger, unreadable: Unreadable): void {
  log.warn(unreadable, 'could not read a request from Slack');
}

/** What our code threw, which Bolt wraps. */
function faultsIn(error: unknown): unknown[] {
  if (error instanceof MultipleListenerError) return error.originals.flatMap(faultsIn);
  return [error instanceof UnknownError ? error.original : error];
}
