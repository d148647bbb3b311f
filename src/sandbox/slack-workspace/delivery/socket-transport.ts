import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { isObject, parseJson, stringAt } from '../json.ts';
import type { Delivered, Outgoing, Transport } from './transport.ts';

/** https://docs.slack.dev/apis/events-api/using-socket-mode: at most ten connections of an app. */
const MOST_CONNECTIONS = 10;

const PING_EVERY_MS = 10_000;
const REFRESH_GRACE_MS = 10_000;
const GOODBYE_MS = 300;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const GOING_AWAY = 1001;

export type SocketTransport = Transport & {
  /** Takes over a connection that came with a valid ticket. */
  accept(socket: WebSocket): void;
  connections(): number;
  /** Asks every connection to be replaced, as Slack does every few hours. */
  refresh(): void;
  /** Cuts every connection without a word. */
  cut(): void;
  /** Says goodbye to every connection; resolves when all are closed. */
  end(): Promise<void>;
};

type Waiting = { outgoing: Outgoing; socket: WebSocket; settle: (delivered: Delivered) => void; sends: number };

/** Delivers over the app's own WebSocket connections, in turn, and waits for the envelope's acknowledgement. */
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

  /** An envelope that its connection didn't acknowledge before it closed goes to another one. */
  function handOver(lost: WebSocket): void {
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
      if (open.length >= MOST_CONNECTIONS) return turnAway(socket);
      open.push(socket);
      const pinging = setInterval(() => socket.ping(), PING_EVERY_MS);
      socket.on('message', (data) => acknowledged(String(data)));
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        clearInterval(pinging);
        const index = open.indexOf(socket);
        if (index >= 0) open.splice(index, 1);
        handOver(socket);
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
      await Promise.all([...open].map(sayGoodbye));
    },
  };
}

function sayGoodbye(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => socket.terminate(), GOODBYE_MS);
    socket.once('close', () => {
      clearTimeout(impatience);
      resolve();
    });
    socket.close(GOING_AWAY);
  });
}

function turnAway(socket: WebSocket): void {
  socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info: debugInfo() }));
  socket.close();
}

function hello(appId: string, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { ...debugInfo(), approximate_connection_time: 18_060 },
  };
}

function debugInfo() {
  return { host: 'applink-sandbox' };
}
