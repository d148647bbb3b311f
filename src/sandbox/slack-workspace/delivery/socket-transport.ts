// Deliveries over Socket Mode, and the life of its connections.

import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { isObject, parseJson, stringAt } from '../json.ts';
import { ackLimitOf, type Delivered, type Outgoing, type Transport } from './transport.ts';

/** Per app. https://docs.slack.dev/apis/events-api/using-socket-mode */
const MAX_CONNECTIONS = 10;

const PING_EVERY_MS = 10_000;
/** The time from a dismissal to the end. https://docs.slack.dev/apis/events-api/using-socket-mode */
const DISMISSAL_MS = 10_000;
const CLOSE_GRACE_MS = 300;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;

export type SocketTransport = Transport & {
  /** Adds a connection that was opened with a valid ticket. */
  accept(socket: WebSocket): void;
  connections(): number;
  /** Warns the app that every connection ends soon, as Slack does every few hours. */
  warn(): void;
  /** Asks the app to replace every connection, as Slack does where it doesn't warn. */
  refresh(): void;
  /** Breaks every connection without a closing handshake. */
  cut(): void;
  /** Closes every connection. Resolves when all are closed. */
  end(): Promise<void>;
};

type Waiting = {
  outgoing: Outgoing;
  socket: WebSocket;
  settle: (delivered: Delivered) => void;
  settled: Promise<unknown>;
};

type SocketOptions = { appId: string; ackLimitMs?: number | undefined; dismissalMs?: number | undefined };

/** Delivers over the app's WebSocket connections in rotation, and waits for each envelope's acknowledgement. */
export function createSocketTransport(options: SocketOptions): SocketTransport {
  /** Those that are in rotation, and these together with those that get nothing more. */
  const open: WebSocket[] = [];
  const standing = new Set<WebSocket>();
  const dismissed = new WeakSet<WebSocket>();
  const waiting = new Map<string, Waiting>();

  function next(): WebSocket | undefined {
    const index = open.findIndex((socket) => socket.readyState === socket.OPEN);
    const [socket] = index < 0 ? [] : open.splice(index, 1);
    if (socket) open.push(socket);
    return socket;
  }

  function takeOut(socket: WebSocket): void {
    const index = open.indexOf(socket);
    if (index >= 0) open.splice(index, 1);
  }

  function send(envelopeId: string, entry: Waiting): void {
    const { outgoing } = entry;
    entry.socket.send(
      JSON.stringify({
        envelope_id: envelopeId,
        type: outgoing.kind,
        payload: outgoing.payload,
        accepts_response_payload: outgoing.acceptsResponse,
        ...(outgoing.kind === 'events_api' && {
          retry_attempt: outgoing.retry?.attempt ?? 0,
          retry_reason: outgoing.retry?.reason ?? '',
        }),
      }),
    );
  }

  /** Resends envelopes that a closed connection left unacknowledged. */
  function resendPending(lost: WebSocket): void {
    for (const [envelopeId, entry] of waiting) {
      if (entry.socket !== lost) continue;
      const other = next();
      if (!other) entry.settle({ ok: false, reason: 'dropped' });
      else {
        entry.socket = other;
        send(envelopeId, entry);
      }
    }
  }

  /** A dismissed connection is used until it ends. Then it gets nothing more, but what it got can still be acknowledged. */
  function dismissAll(reason: 'warning' | 'refresh_requested'): void {
    for (const socket of open.filter((each) => !dismissed.has(each))) {
      dismissed.add(socket);
      socket.send(dismissal(reason));
      const timer = setTimeout(() => void endOf(socket, reason), options.dismissalMs ?? DISMISSAL_MS);
      socket.once('close', () => clearTimeout(timer));
    }
  }

  async function endOf(socket: WebSocket, reason: 'warning' | 'refresh_requested'): Promise<void> {
    takeOut(socket);
    if (reason === 'warning') socket.send(dismissal('refresh_requested'));
    await Promise.all([...waiting.values()].filter((each) => each.socket === socket).map(({ settled }) => settled));
    await closeSocket(socket, NORMAL_CLOSURE);
  }

  function acknowledged(socket: WebSocket, data: string): void {
    const message = parseJson(data);
    const envelopeId = stringAt(message, 'envelope_id');
    const entry = envelopeId === undefined ? undefined : waiting.get(envelopeId);
    if (entry?.socket !== socket || !isObject(message)) return;
    const { payload } = message;
    const empty = payload === undefined || (isObject(payload) && Object.keys(payload).length === 0);
    entry.settle({ ok: true, body: empty ? '' : JSON.stringify(payload) });
  }

  return {
    deliver(outgoing) {
      const socket = next();
      if (!socket) return Promise.resolve({ ok: false, reason: 'unreachable' });
      const envelopeId = randomUUID();
      let resolve = (_: Delivered) => {};
      const settled = new Promise<Delivered>((settlesWith) => {
        resolve = settlesWith;
      });
      const settle = (delivered: Delivered) => {
        clearTimeout(timer);
        waiting.delete(envelopeId);
        resolve(delivered);
      };
      const timer = setTimeout(
        () => settle({ ok: false, reason: 'timeout' }),
        options.ackLimitMs ?? ackLimitOf(outgoing),
      );
      const entry: Waiting = { outgoing, socket, settle, settled };
      waiting.set(envelopeId, entry);
      send(envelopeId, entry);
      return settled;
    },
    reachable: () => open.length > 0,
    probe: async () => open.length > 0,
    connections: () => standing.size,
    accept(socket) {
      if (standing.size >= MAX_CONNECTIONS) return refuse(socket);
      standing.add(socket);
      open.push(socket);
      const pinging = setInterval(() => socket.ping(), PING_EVERY_MS);
      socket.on('message', (data) => acknowledged(socket, String(data)));
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clearInterval(pinging);
        standing.delete(socket);
        takeOut(socket);
        resendPending(socket);
      });
      socket.send(hello(options.appId, standing.size));
    },
    warn: () => dismissAll('warning'),
    refresh: () => dismissAll('refresh_requested'),
    cut() {
      for (const socket of standing) socket.terminate();
    },
    async end() {
      await Promise.all([...standing].map((socket) => closeSocket(socket, GOING_AWAY)));
    },
  };
}

function closeSocket(socket: WebSocket, code: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) return resolve();
    const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(code);
  });
}

function refuse(socket: WebSocket): void {
  socket.send(dismissal('too_many_websockets'));
  socket.close();
}

type DismissalReason = 'warning' | 'refresh_requested' | 'too_many_websockets';

/** See https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect */
function dismissal(reason: DismissalReason): string {
  return JSON.stringify({ type: 'disconnect', reason, debug_info: debugInfo() });
}

/** See https://docs.slack.dev/apis/events-api/using-socket-mode#connect */
const STARTED = new Date().toISOString().replace('T', ' ').slice(0, 23);

function hello(appId: string, connections: number): string {
  return JSON.stringify({
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { ...debugInfo(), started: STARTED, build_number: 1, approximate_connection_time: 18_060 },
  });
}

function debugInfo() {
  return { host: 'applink-sandbox' };
}
