import type { Logger } from 'pino';
import type { AddToLog, LogFacts } from '../interaction/log-facts.ts';
import { UnreadableRequest } from '../interaction/parse-request.ts';
import { logUnreadable } from './log-unreadable.ts';
import { type RequestKind, requestKind } from './observe-requests.ts';
import type { Payload } from './parse-body.ts';

/** Acknowledges a request. The answer is what Slack is to show or to do. */
export type Ack = (answer?: object) => Promise<void>;

interface KnownRequest {
  kind: Exclude<RequestKind, 'other'>;
  payload: Payload;
  ack: Ack;
  addToLog: AddToLog;
}

/** Answers a request of a known kind. @throws {UnreadableRequest} if it lacks what all requests of its kind have */
export type Dispatch = (request: KnownRequest) => Promise<void>;

/** What became of a request. Those that weren't handled are not acknowledged, so that Slack shows people an error. */
export type Handling = 'handled' | 'unknown' | 'unreadable' | 'failed';

/** Never rejects: what fails is logged, our own faults as errors. Of each other request by a person, one line is logged. */
export type HandleRequest = (payload: Payload, ack: Ack) => Promise<Handling>;

interface Observers {
  log: Logger;
  /** Called for each request that fails by our fault, for metrics. */
  onFault: () => void;
}

export function createRequestHandler(dispatch: Dispatch, { log, onFault }: Observers): HandleRequest {
  return async (payload, ack) => {
    const kind = requestKind(payload);
    if (kind === 'other') {
      logUnreadable(log, { kind, reason: 'unknown type' });
      return 'unknown';
    }
    const facts: Partial<LogFacts> = {};
    const addToLog: AddToLog = (more) => Object.assign(facts, more);
    try {
      await dispatch({ kind, payload, ack, addToLog });
      if (facts.by !== undefined) log.info({ kind, ...facts }, 'answered a request');
      return 'handled';
    } catch (error) {
      if (error instanceof UnreadableRequest) {
        logUnreadable(log, { kind, reason: error.name, fields: error.fields });
        return 'unreadable';
      }
      onFault();
      log.error({ err: error, kind, ...facts }, 'a listener failed');
      return 'failed';
    }
  };
}
