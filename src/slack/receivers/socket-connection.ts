import type { SocketModeClient } from '@slack/socket-mode';
import type { Logger as SlackLogger } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorName } from '../api/errors.ts';
import { InFlight } from './request.ts';

// One connection of Socket Mode, from its opening to its end. The supervisor in `socket-receiver.ts` replaces it.

/** The reason why Slack dismisses a connection. https://docs.slack.dev/apis/events-api/using-socket-mode */
const DISMISSALS = ['warning', 'refresh_requested', 'link_disabled', 'too_many_websockets', 'other'] as const;
type Dismissal = (typeof DISMISSALS)[number];

/** Returns true if the connection goes on for about ten seconds, in which another one should replace it. */
function hasTime(dismissal: Dismissal): boolean {
  return dismissal === 'warning' || dismissal === 'refresh_requested';
}

/** The frames that Slack sends. https://docs.slack.dev/apis/events-api/using-socket-mode */
const FRAME = z.union([
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('disconnect'), reason: z.enum(DISMISSALS).catch('other') }),
  z.object({ type: z.enum(['slash_commands', 'interactive']), envelope_id: z.string(), payload: z.object({}) }),
  z.object({
    type: z.literal('events_api'),
    envelope_id: z.string(),
    payload: z.object({ event: z.object({ type: z.string() }) }),
  }),
]);

/**
 * Hides two kinds of frames from the client: frames of unknown shape, which it reads unchecked in an async listener, whose unhandled
 * rejection would end the process; and dismissals that leave time, upon which it would close the connection at once. Reports why Slack
 * dismisses the connection, which the client doesn't. Relies on internals of @slack/socket-mode, pinned by
 * test/slack/receivers/socket-frames.test.ts.
 */
export function filterFrames(
  client: SocketModeClient,
  { onIgnored, onDismissed = () => {} }: { onIgnored: () => void; onDismissed?: (reason: Dismissal) => void },
): void {
  const listeners = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    const frame = readFrame(data);
    if (!frame) return onIgnored();
    if (frame.type === 'disconnect') {
      onDismissed(frame.reason);
      if (hasTime(frame.reason)) return;
    }
    for (const listener of listeners) listener.call(client, data, isBinary);
  });
}

function readFrame(data: unknown): z.infer<typeof FRAME> | null {
  if (typeof data !== 'string') return null;
  try {
    return FRAME.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}

export interface Envelope {
  body: Record<string, unknown>;
  ack: (answer?: object | string) => Promise<void>;
  retry_num?: number;
  retry_reason?: string;
}

/** The reason why a connection ended: Slack dismissed it, it was lost, or Slack never said hello. */
export type EndReason = (typeof END_REASONS)[number];

export const END_REASONS = [...DISMISSALS, 'lost', 'no_hello'] as const;

export class NotConnected extends Error {
  override name = 'NotConnected';
  readonly reason: EndReason;

  constructor(reason: EndReason, options?: ErrorOptions) {
    super(`Socket Mode did not connect (${reason}).`, options);
    this.reason = reason;
  }
}

/** A connection after its hello. If Slack asks for another one in its place, it goes on until it has ended. */
export interface SocketConnection {
  /** Resolves to why another connection is needed: Slack asked for it, or this one ended. Never rejects. */
  outlived: Promise<EndReason>;
  ended: Promise<EndReason>;
  /** Closes the connection after its requests are acknowledged, or after Slack would stop waiting for that. */
  finish(): Promise<unknown>;
  close(): Promise<unknown>;
}

interface ConnectionOptions {
  appToken: string;
  apiUrl: string;
  logger: SlackLogger;
  attemptMs: number;
  /** Resolves when the envelope is acknowledged, or never will be. Never rejects. */
  onEnvelope: (envelope: Envelope) => Promise<void>;
  onIgnoredFrame: () => void;
}

/** Slack may leave the closing handshake unanswered; the client alone would wait 30 seconds for it. */
const CLOSE_MS = 1_000;
/** https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response */
const ACK_MS = 3_000;

/**
 * Opens a connection on a client of its own, so that late frames of an earlier connection can't be mistaken for this one's.
 * @throws {NotConnected} if it ends before the hello; otherwise what the Web API client throws
 */
export async function openConnection(options: ConnectionOptions): Promise<SocketConnection> {
  const client = await createClient(options);
  let reason: EndReason = 'lost';
  const ended = new Promise<EndReason>((resolve) => client.once('disconnected', () => resolve(reason)));
  const closeSoon = () => {
    const timer = setTimeout(() => terminate(client), CLOSE_MS);
    void ended.then(() => clearTimeout(timer));
  };
  let askForAnother: (dismissal: Dismissal) => void = () => {};
  const dismissed = new Promise<Dismissal>((resolve) => {
    askForAnother = resolve;
  });
  const onDismissed = (dismissal: Dismissal) => {
    reason = dismissal;
    if (hasTime(dismissal)) askForAnother(dismissal);
    else closeSoon();
  };
  filterFrames(client, { onIgnored: options.onIgnoredFrame, onDismissed });
  const inFlight = new InFlight();
  client.on('slack_event', (envelope: Envelope) => void inFlight.track(options.onEnvelope(envelope)));
  const giveUp = () => {
    reason = 'no_hello';
    terminate(client);
  };
  await startWithin(options.attemptMs, client, giveUp).catch((error) => {
    throw failureOf(error, reason);
  });
  let isClosing = false;
  const close = () => {
    // A second call would cut the closing handshake short.
    if (!isClosing) client.websocket?.disconnect();
    isClosing = true;
    closeSoon();
    return ended;
  };
  const finish = async () => {
    await inFlight.settled(ACK_MS);
    await close();
  };
  return { outlived: Promise.race([dismissed, ended]), ended, finish, close };
}

/** Creates a client that neither retries nor reconnects: its own reconnect leaves a rejection unhandled, which would end the process. */
async function createClient({ appToken, apiUrl, logger, attemptMs }: ConnectionOptions): Promise<SocketModeClient> {
  // Imported here, because HTTP mode has no use for it.
  const { SocketModeClient } = await import('@slack/socket-mode');
  return new SocketModeClient({
    appToken,
    logger,
    autoReconnectEnabled: false,
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: attemptMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    },
  });
}

/** Starts the client. It limits only the call for an address, so the upgrade and the hello get the rest of the time here. */
async function startWithin(attemptMs: number, client: SocketModeClient, giveUp: () => void): Promise<void> {
  const deadline = performance.now() + attemptMs;
  let timer: NodeJS.Timeout | undefined;
  client.once('connecting', () => {
    timer = setTimeout(giveUp, deadline - performance.now());
  });
  try {
    await client.start();
  } finally {
    clearTimeout(timer);
  }
}

/** Closes the socket at once: the second call doesn't wait for the closing handshake that the first one begins. */
function terminate(client: SocketModeClient): void {
  client.websocket?.disconnect();
  client.websocket?.disconnect();
}

/**
 * Returns why no connection was made. The client rejects with nothing if the connection ends; `not_allowed` means that Socket Mode
 * is turned off.
 */
function failureOf(error: unknown, reason: EndReason): unknown {
  if (slackErrorName(error) === 'not_allowed') return new NotConnected('link_disabled', { cause: error });
  return error === undefined ? new NotConnected(reason) : error;
}
