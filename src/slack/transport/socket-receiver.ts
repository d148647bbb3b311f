import type { App, Receiver, Logger as SlackLogger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import type { Logger } from 'pino';
import { backoffMs } from '../../core/time.ts';
import { InFlight } from './in-flight.ts';
import { logUnreadable } from './log-unreadable.ts';
import { type ObserveRequest, type RequestOutcome, requestKind } from './observe-requests.ts';
import { ignoreUnknownFrames } from './socket-frames.ts';

/** What the client emits for each envelope that needs an ack. */
interface Envelope {
  body: Record<string, unknown>;
  ack: (response?: Record<string, unknown>) => Promise<void>;
  retry_num?: number;
  retry_reason?: string;
}

const OPEN_TIMEOUT_MS = 10_000;
/** Slack drops answers after three seconds. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response */
const MAX_STOP_MS = 2_000;

/**
 * Bolt's receiver for Socket Mode. It reconnects by itself: the client's own reconnect leaves a rejection unhandled, which would
 * end the process, and waits five seconds after each of the refreshes that Slack requests every few hours.
 */
export class SocketReceiver implements Receiver {
  readonly #client: SocketModeClient;
  readonly #log: Logger;
  readonly #observe: ObserveRequest;
  readonly #inFlight = new InFlight();
  #app: App | null = null;
  #isConnected = false;
  #isStopped = false;
  #retry: NodeJS.Timeout | null = null;

  constructor({
    appToken,
    apiUrl,
    logger,
    log,
    observe = () => () => {},
  }: { appToken: string; apiUrl: string; logger: SlackLogger; log: Logger; observe?: ObserveRequest }) {
    this.#log = log;
    this.#observe = observe;
    this.#client = new SocketModeClient({
      appToken,
      logger,
      autoReconnectEnabled: false,
      clientOptions: {
        slackApiUrl: apiUrl,
        timeout: OPEN_TIMEOUT_MS,
        retryConfig: { retries: 0 },
      },
    });
    ignoreUnknownFrames(this.#client, () => log.warn('ignored a Socket Mode frame of unknown shape'));
    this.#client.on('slack_event', (envelope: Envelope) => void this.#inFlight.track(this.#take(envelope)));
  }

  init(app: App): void {
    this.#app = app;
  }

  isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves with the first connection; rejects if it can't be made, for the operator to fix. */
  async start(): Promise<void> {
    await this.#client.start();
    this.#isConnected = true;
    this.#client.on('disconnected', () => this.#reconnect());
  }

  /** Answers the requests in progress before it disconnects. */
  async stop(): Promise<void> {
    await this.#inFlight.settled(MAX_STOP_MS);
    this.#isStopped = true;
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#isConnected) await this.#client.disconnect();
    this.#isConnected = false;
  }

  async #take({ body, ack, retry_num, retry_reason }: Envelope): Promise<void> {
    const tell = this.#observed(body);
    try {
      await this.#app?.processEvent({
        body,
        ack: async (response) => {
          tell('acknowledged');
          await ack(response);
        },
        ...(retry_num === undefined ? {} : { retryNum: retry_num }),
        ...(retry_reason === undefined ? {} : { retryReason: retry_reason }),
      });
      tell('unanswered');
    } catch (error) {
      // Without an ack, Slack shows the person an error.
      logUnreadable(this.#log, body, error);
      tell('failed');
    }
  }

  /** Reports the first outcome of an envelope only. */
  #observed(body: Record<string, unknown>): (outcome: RequestOutcome) => void {
    const tell = this.#observe(requestKind(body));
    let isTold = false;
    return (outcome) => {
      if (!isTold) tell(outcome);
      isTold = true;
    };
  }

  #reconnect(tries = 0): void {
    this.#isConnected = false;
    if (this.#isStopped || this.#retry) return;
    const delayMs = tries === 0 ? 0 : backoffMs(tries - 1, { firstMs: 500, mostMs: 10_000 });
    this.#retry = setTimeout(() => void this.#connect(tries), delayMs);
  }

  async #connect(tries: number): Promise<void> {
    try {
      await this.#client.start();
      this.#retry = null;
      this.#isConnected = true;
      this.#log.info('reconnected to Slack');
    } catch (error) {
      this.#retry = null;
      this.#log.warn({ err: error, tries }, 'could not reconnect to Slack');
      this.#reconnect(tries + 1);
    }
  }
}
