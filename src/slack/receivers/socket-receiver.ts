import type { App, Receiver } from '@slack/bolt';
import type { Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from 'pino';
import { InFlight } from './in-flight.ts';
import { type Handling, processRequest, retryOf } from './process-request.ts';
import { type ObserveRequest, type RequestOutcome, requestKind } from './request-kind.ts';
import { type EndReason, type Envelope, openConnection } from './socket-connection.ts';
import { type ReconnectLimits, SocketSupervisor, type SocketTrouble } from './socket-supervisor.ts';

export interface SocketReceiverOptions {
  appToken: string;
  apiUrl: string;
  logger: SlackLogger;
  log: Logger;
  /** Called for each request, for metrics. */
  observe?: ObserveRequest;
  /** Called for each request that fails by our fault, for metrics. */
  onFault?: () => void;
  /** Called for each connection that ended by itself, for metrics. */
  onEnd?: (reason: EndReason) => void;
  limits?: Partial<ReconnectLimits> & { helloMs?: number };
}

/** Slack drops answers after three seconds. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response */
const MAX_STOP_MS = 1_500;
const HELLO_MS = 10_000;

/** Receives requests in Socket Mode, on connections that the supervisor replaces. */
export class SocketReceiver implements Receiver {
  readonly #observers: { log: Logger; observe: ObserveRequest; onFault: () => void };
  readonly #supervisor: SocketSupervisor;
  readonly #inFlight = new InFlight();
  #app: App | null = null;

  constructor(options: SocketReceiverOptions) {
    const { appToken, apiUrl, logger, log, onEnd = () => {}, limits = {} } = options;
    const { observe = () => () => {}, onFault = () => {} } = options;
    this.#observers = { log, observe, onFault };
    const connection = {
      ...{ appToken, apiUrl, logger, helloMs: limits.helloMs ?? HELLO_MS },
      onEnvelope: (envelope: Envelope) => this.#inFlight.track(this.#take(envelope)),
      onIgnoredFrame: () => log.warn('ignored a Socket Mode frame of unknown shape'),
    };
    this.#supervisor = new SocketSupervisor({ open: () => openConnection(connection), log, onEnd, limits });
  }

  init(app: App): void {
    this.#app = app;
  }

  isConnected(): boolean {
    return this.#supervisor.isConnected();
  }

  /** Why Slack dismisses the connections, while there is none. */
  trouble(): SocketTrouble | null {
    return this.#supervisor.trouble();
  }

  /** Resolves with the first connection; rejects, and may be called again, if it can't be made. */
  start(): Promise<void> {
    return this.#supervisor.start();
  }

  /** Answers the requests in progress before it disconnects. */
  async stop(): Promise<void> {
    await this.#inFlight.settled(MAX_STOP_MS);
    await this.#supervisor.stop();
  }

  async #take({ body, ack: acknowledge, retry_num: number, retry_reason: reason }: Envelope): Promise<void> {
    if (!this.#app) return;
    const tell = this.#observed(body);
    const ack: Envelope['ack'] = async (answer) => {
      tell('acknowledged');
      await acknowledge(answer);
    };
    const retry = retryOf({ number, reason });
    const handling = await processRequest(this.#app, { body, ack, retry }, this.#observers);
    tell(OUTCOMES[handling]);
  }

  /** Reports the first outcome of an envelope only. */
  #observed(body: Record<string, unknown>): (outcome: RequestOutcome) => void {
    const tell = this.#observers.observe(requestKind(body));
    let isTold = false;
    return (outcome) => {
      if (!isTold) tell(outcome);
      isTold = true;
    };
  }
}

/** Of requests that were not acknowledged. */
const OUTCOMES: Record<Handling, RequestOutcome> = {
  handled: 'unanswered',
  unknown: 'unanswered',
  unreadable: 'failed',
  failed: 'failed',
};
