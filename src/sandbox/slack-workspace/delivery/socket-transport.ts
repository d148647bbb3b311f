import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { isObject, parseJson, stringAt } from '../json.ts';
import type { Delivered, Outgoing, Transport } from './transport.ts';

/** Per app. https://docs.slack.dev/apis/events-api/using-socket-mode */
const MAX_CONNECTIONS = 10;

const PING_EVERY_MS = 10_000;
const REFRESH_GRACE_MS = 10_000;
const CLOSE_GRACE_MS = 300;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const GOING_AWAY = 1001;

export type SocketTransport = Transport & {
  /** Adds a connection that was opened with a valid ticket. */
  accept(socket: WebSocket): void;
  connections(): number;
  /** Asks the app to replace every connection, as Slack does every few hours. */
  refresh(): void;
  /** Breaks every connection without a closing handshake. */
  cut(): void;
  /** Closes every connection. Resolves when all are closed. */
  end(): Promise<void>;
};

type Waiting = { outgoing: Outgoing; socket: WebSocket; settle: (delivered: Delivered) => void; sends: number };

/** Delivers over the app's WebSocket connections in rotation, and waits for each envelope's acknowledgement. */
export function createSocketTransport(options: { appId: string; ackLimitMs: number }): SocketTransport {
  const open: WebSocket[] = [];
  const waiting = new Map<string, Waiting>();

  function send(envelopeId: string, entry: Waiting): void {
    const { outgoing } = entry;
    entry.sends += 1;
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
      const next = open[0];
      if (!next) entry.settle({ ok: false, reason: 'dropped' });
      else {
        entry.socket = next;
        send(envelopeId, entry);
      }
    }
  }

  function acknowledged(data: string): void {
    const message = parseJson(data);
    const envelopeId = stringAt(message, 'envelope_id');
    const entry = envelopeId === undefined ? undefined : waiting.get(envelopeId);
    if (!entry || !isObject(message)) return;
    const { payload } = message;
    const empty = payload === undefined || (isObject(payload) && Object.keys(payload).length === 0);
    entry.settle({ ok: true, body: empty ? '' : JSON.stringify(payload) });
  }

  return {
    deliver(outgoing) {
      const socket = open.shift();
      if (!socket) return Promise.resolve({ ok: false, reason: 'unreachable' });
      open.push(socket);
      const envelopeId = randomUUID();
      return new Promise((resolve) => {
        const settle = (delivered: Delivered) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          resolve(delivered);
        };
        const timer = setTimeout(() => settle({ ok: false, reason: 'timeout' }), options.ackLimitMs);
        const entry: Waiting = { outgoing, socket, settle, sends: 0 };
        waiting.set(envelopeId, entry);
        send(envelopeId, entry);
      });
    },
    reachable: () => open.length > 0,
    connections: () => open.length,
    accept(socket) {
      if (open.length >= MAX_CONNECTIONS) return refuse(socket);
      open.push(socket);
      const pinging = setInterval(() => socket.ping(), PING_EVERY_MS);
      socket.on('message', (data) => acknowledged(String(data)));
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clearInterval(pinging);
        const index = open.indexOf(socket);
        if (index >= 0) open.splice(index, 1);
        resendPending(socket);
      });
      socket.send(JSON.stringify(hello(options.appId, open.length)));
    },
    refresh() {
      for (const socket of open.splice(0)) {
        socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: debugInfo() }));
        const timer = setTimeout(() => socket.terminate(), REFRESH_GRACE_MS);
        socket.on('close', () => clearTimeout(timer));
      }
    },
    cut() {
      for (const socket of [...open]) socket.terminate();
    },
    async end() {
      await Promise.all([...open].map(closeSocket));
    },
  };
}

function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(GOING_AWAY);
  });
}

function refuse(socket: WebSocket): void {
  socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info: debugInfo() }));
  socket.close();
}

/** As in https://docs.slack.dev/apis/events-api/using-socket-mode#connect */
const STARTED = new Date().toISOString().replace('T', ' ').slice(0, 23);

function hello(appId: string, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { ...debugInfo(), started: STARTED, build_number: 1, approximate_connection_time: 18_060 },
  };
}

function debugInfo() {
  return { host: 'applink-sandbox' };
}
