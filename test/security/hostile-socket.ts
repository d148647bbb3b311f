import { once } from 'node:events';
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** Slack's side of Socket Mode, which sends whatever it is told to. */
export interface HostileSocket {
  apiUrl: string;
  /** Sends a frame as it is. */
  frame(data: string | Buffer): void;
  /** Sends an envelope and resolves to the answer that carries its id. */
  envelope(id: string, type: string, payload: unknown): Promise<unknown>;
  connections(): number;
  close(): void;
}

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
export async function startHostileSocket(): Promise<HostileSocket> {
  const answers = new Map<string, (payload: unknown) => void>();
  let connections = 0;
  let current: WebSocket | null = null;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    connections += 1;
    current = socket;
    socket.on('message', (data) => {
      const { envelope_id: id = '', payload = null } = JSON.parse(String(data));
      answers.get(id)?.(payload);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  });
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    frame: (data) => current?.send(data),
    envelope: (id, type, payload) =>
      new Promise((resolve) => {
        answers.set(id, resolve);
        current?.send(JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true }));
      }),
    connections: () => connections,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
    },
  };
}
