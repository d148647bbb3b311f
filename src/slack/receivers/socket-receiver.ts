import { setTimeout as delay } from 'node:timers/promises';
import type { App, Receiver } from '@slack/bolt';
import type { Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from 'pino';
import { backoffMs } from '../../core/values/time.ts';
import { callFailureOf, isTokenError, retryAfterMs, slackErrorName } from '../api/errors.ts';
import {
  beginRequest,
  type Handling,
  InFlight,
  MAX_STOP_MS,
  processRequest,
  type RequestOutcome,
  requestKind,
  retryOf,
  UNWATCHED,
  type Watchers,
} from './request.ts';
import {
  type EndReason,
  type Envelope,
  NotConnected,
  openConnection,
  type SocketConnection,
} from './socket-connection.ts';

// The receiver of Socket Mode, and the supervisor that keeps it connected to Slack.

export interface SocketReceiverOptions extends Watchers {
  appToken: string;
  apiUrl: string;
  logger: SlackLogger;
  onEnd?: (reason: EndReason) => void;
  limits?: Partial<ReconnectLimits>;
}

/** Receives requests in Socket Mode, on connections that the supervisor replaces. */
export class SocketReceiver implements Receiver {
  readonly #watchers: Required<Watchers>;
  readonly #supervisor: SocketSupervisor;
  readonly #inFlight = new InFlight();
  #app: App | null = null;

  constructor(options: SocketReceiverOptions) {
    const { appToken, apiUrl, logger, log, onEnd = () => {} } = options;
    const limits = { ...RECONNECT_LIMITS, ...options.limits };
    this.#watchers = { ...UNWATCHED, ...options };
    const connection = {
      appToken,
      apiUrl,
      logger,
      attemptMs: limits.attemptMs,
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

  trouble(): SocketTrouble | null {
    return this.#supervisor.trouble();
  }

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
    const end = beginRequest(requestKind(body), this.#watchers);
    const ack: Envelope['ack'] = async (answer) => {
      end('acknowledged');
      await acknowledge(answer);
    };
    const retry = retryOf({ number, reason });
    const handling = await processRequest(this.#app, { body, ack, retry }, this.#watchers);
    end(OUTCOMES[handling]);
  }
}

const OUTCOMES: Record<Handling, RequestOutcome> = {
  handled: 'unanswered',
  unknown: 'unanswered',
  unreadable: 'failed',
  failed: 'failed',
};

interface ReconnectLimits {
  attemptMs: number;
  /** The pauses between attempts double from the first to the longest. */
  firstMs: number;
  mostMs: number;
  /** The longest pause while only a person can change Slack's answer. */
  mostRefusedMs: number;
  /** A connection that lasts so long ends the backoff. */
  steadyMs: number;
  /** The time that Slack may take to end a connection that was replaced. It says about ten seconds. */
  lingerMs: number;
}

/**
 * However long Slack was away, the bot is back within ten seconds of its return: an attempt that began just before and hangs, and a pause,
 * take nine. A process makes at most 40 attempts a minute, one at a time. Slack allows 50 calls of `apps.connections.open` (Tier 3), and
 * sends `Retry-After` if several processes exceed them. https://docs.slack.dev/reference/methods/apps.connections.open
 */
export const RECONNECT_LIMITS: ReconnectLimits = {
  attemptMs: 6_000,
  firstMs: 100,
  mostMs: 3_000,
  mostRefusedMs: 30_000,
  steadyMs: 30_000,
  lingerMs: 15_000,
};

interface Before {
  tries: number;
  /** True if Slack refused the connection for a reason that only a person can change. */
  isRefused: boolean;
  leastMs: number;
}

/**
 * Returns the pause before the next attempt. After a steady connection there is none: Slack asks for a refresh every few hours. Half of a
 * pause is random ("equal jitter"), so that processes that Slack dismissed together don't come back together, and none comes back at once.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 * @param random from 0 to 1
 */
export function reconnectPauseMs(
  { tries, isRefused, leastMs }: Before,
  limits: ReconnectLimits,
  random: number,
): number {
  const { firstMs, mostMs, mostRefusedMs } = limits;
  const fullMs = tries === 0 ? 0 : backoffMs(tries - 1, { firstMs, mostMs: isRefused ? mostRefusedMs : mostMs });
  return Math.max(leastMs, fullMs * (0.5 + random / 2));
}

/** Dismissals after which reconnecting doesn't help, and what to do about them. */
const TROUBLES = {
  link_disabled: "Socket Mode is turned off in the app's settings: turn it on there, and the bot reconnects",
  too_many_websockets: 'Slack allows this app no more connections (at most ten): stop other processes that use it',
  other: 'Slack dismissed the connection and gave no known reason',
} satisfies Partial<Record<EndReason, string>>;

/** A dismissal, or Slack's error for the app token. */
export type SocketTrouble = keyof typeof TROUBLES | `app_token: ${string}`;

interface SupervisorOptions {
  open: () => Promise<SocketConnection>;
  log: Logger;
  /** Called for each connection that ended by itself, unless Slack refused it while another one stands. */
  onEnd: (reason: EndReason) => void;
  limits: ReconnectLimits;
}

/**
 * Keeps one connection to Slack. While Slack replaces it there are two, and requests come in on both. Slack ends the old one: a client that
 * closes a connection never reads what is on its way.
 */
class SocketSupervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #standing = new Set<SocketConnection>();
  #trouble: SocketTrouble | null = null;
  /** Attempts since a connection was steady, the first one included. */
  #tries = 1;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  isConnected(): boolean {
    return this.#standing.size > 0;
  }

  /** Returns why Slack dismisses the connections, while there is none. */
  trouble(): SocketTrouble | null {
    return this.isConnected() ? null : this.#trouble;
  }

  /** Resolves with the first connection. Rejects if it can't be made, and may then be called again. */
  async start(): Promise<void> {
    void this.#keep(await this.#options.open());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#standing].map((each) => each.close()));
  }

  async #keep(first: SocketConnection): Promise<void> {
    let before = { isRefused: isRefusal(await this.#use(first)), leastMs: 0 };
    while (await this.#pause(before)) {
      this.#finishReplaced();
      try {
        const connection = await this.#options.open();
        if (this.#trouble === null) this.#options.log.info('reconnected to Slack');
        before = { isRefused: isRefusal(await this.#use(connection)), leastMs: 0 };
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        before = { isRefused: isRefused(error), leastMs: retryAfterMs(error) ?? 0 };
        this.#reportFailure(error);
      }
    }
  }

  /** Resolves to why another connection is needed. This one is used until the other one stands. */
  async #use(connection: SocketConnection): Promise<EndReason> {
    this.#standing.add(connection);
    void connection.ended.then((reason) => this.#forget(connection, reason));
    if (this.#stopping.signal.aborted) void connection.close();
    const steady = setTimeout(() => this.#settle(), this.#options.limits.steadyMs);
    const late = setTimeout(() => this.#finishReplaced(), this.#options.limits.lingerMs);
    const reason = await connection.outlived;
    clearTimeout(steady);
    clearTimeout(late);
    return reason;
  }

  #forget(connection: SocketConnection, reason: EndReason): void {
    this.#standing.delete(connection);
    if (!this.#stopping.signal.aborted) this.#reportEnd(reason);
  }

  /** Finishes all connections but the newest, even if that is to be replaced, too: there are never more than two for long. */
  #finishReplaced(): void {
    for (const replaced of [...this.#standing].slice(0, -1)) void replaced.finish();
  }

  /** Ends the backoff. A hello alone proves little: Slack may dismiss the connection right after it. */
  #settle(): void {
    if (this.#trouble !== null) this.#options.log.info('reconnected to Slack');
    this.#trouble = null;
    this.#tries = 0;
  }

  async #pause(before: Omit<Before, 'tries'>): Promise<boolean> {
    const waitMs = reconnectPauseMs({ tries: this.#tries, ...before }, this.#options.limits, Math.random());
    this.#tries += 1;
    const { signal } = this.#stopping;
    await delay(waitMs, null, { signal }).catch(() => {});
    return !signal.aborted;
  }

  #reportFailure(error: unknown): void {
    if (error instanceof NotConnected) this.#reportEnd(error.reason);
    if (error instanceof NotConnected && isTrouble(error.reason)) return;
    const name = slackErrorName(error);
    if (isTokenError(name) && !this.isConnected()) this.#trouble = `app_token: ${name}`;
    this.#options.log.warn({ err: error, tries: this.#tries }, 'could not reconnect to Slack');
  }

  /** Logs a trouble once, however many attempts it lasts. While another connection stands, nobody has to wait. */
  #reportEnd(reason: EndReason): void {
    if (isTrouble(reason) && this.isConnected()) {
      this.#options.log.debug({ reason }, 'could not replace a connection yet');
      return;
    }
    this.#options.onEnd(reason);
    if (!isTrouble(reason)) return;
    if (reason !== this.#trouble) this.#options.log.warn({ reason }, TROUBLES[reason]);
    this.#trouble = reason;
  }
}

/** Returns true if Slack will answer the same until a person changes the app's settings, or stops other processes. */
function isRefusal(reason: EndReason): boolean {
  return reason === 'link_disabled' || reason === 'too_many_websockets';
}

function isRefused(error: unknown): boolean {
  return error instanceof NotConnected ? isRefusal(error.reason) : callFailureOf(error).kind === 'refused';
}

function isTrouble(reason: EndReason): reason is keyof typeof TROUBLES {
  return Object.hasOwn(TROUBLES, reason);
}
