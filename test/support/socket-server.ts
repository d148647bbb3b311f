import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** How Slack treats one connection: a dismissal comes right after the hello, a refusal instead of it. */
export type Reception =
  | { kind: 'hello' }
  | { kind: 'dismissal'; reason: string }
  | { kind: 'refusal'; reason: string }
  | { kind: 'no-upgrade' }
  | { kind: 'no-hello' };

/** How Slack answers one call of `apps.connections.open` where it gives no address, if it does. */
type OpenAnswer =
  | 'silence'
  | {
      status?: number;
      headers?: Record<string, string>;
      /** A string is sent as it is. */
      body?: object | string;
    };

/** Slack's side of Socket Mode, which does what it is told. https://docs.slack.dev/apis/events-api/using-socket-mode */
export class SocketServer {
  /** When each call and each connection came, in milliseconds of a monotonic clock. */
  readonly calledAt: number[] = [];
  readonly connectedAt: number[] = [];
  /** What happened on the connections that were greeted, counted from 1: `hello 2`, `ack A on 1`, `closed 1`. */
  readonly events: string[] = [];
  readonly #server: Server;
  readonly #upgrades = new WebSocketServer({ noServer: true });
  readonly #sockets = new Set<Duplex>();
  readonly #late: (() => void)[] = [];
  #answers: OpenAnswer[] = [];
  #receptions: Reception[] = [];
  readonly #greeted: WebSocket[] = [];

  constructor() {
    this.#server = createServer((_, response) => this.#answerCall(response));
    this.#server.on('upgrade', (request, socket, head) => this.#receive({ request, socket, head }));
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  get apiUrl(): string {
    return `http://${this.#host()}/api/`;
  }

  /** How the next connections are treated, one after the other; the last of these also holds for all after it. */
  receive(...receptions: Reception[]): void {
    this.#receptions = receptions;
  }

  /** How the next calls of `apps.connections.open` are answered. */
  answer(...answers: OpenAnswer[]): void {
    this.#answers = answers;
  }

  /** The connections that the client has not closed, greeted or not. */
  openConnections(): number {
    return this.#sockets.size;
  }

  /** Dismisses the connection that was greeted last. */
  dismiss(reason: string): void {
    const newest = this.#greeted.at(-1);
    if (newest) sendDismissal(newest, reason);
  }

  /** Sends an event over one of the greeted connections. */
  deliver(id: string, { on }: { on: number }): void {
    const payload = { type: 'event_callback', event: { type: 'app_home_opened' } };
    this.#greeted[on - 1]?.send(JSON.stringify({ envelope_id: id, type: 'events_api', payload }));
  }

  /** Closes one of the greeted connections. */
  end(nth: number): void {
    this.#greeted[nth - 1]?.close(1000);
  }

  /** Breaks all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Greets the connections that still have no hello, upgraded or not. */
  greetLate(): void {
    for (const greet of this.#late.splice(0)) greet();
  }

  close(): void {
    this.cut();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #host(): string {
    const address = this.#server.address();
    return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  #answerCall(response: ServerResponse): void {
    this.calledAt.push(performance.now());
    const granted: OpenAnswer = { body: { ok: true, url: `ws://${this.#host()}/link` } };
    const answer = this.#answers.shift() ?? granted;
    if (answer === 'silence') return;
    const { status = 200, headers = {}, body = {} } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  }

  #receive({ request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer }): void {
    this.connectedAt.push(performance.now());
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    // An HTTP server keeps its half of a socket open, and learns only by reading that the other half is closed.
    socket.on('end', () => socket.destroy()).resume();
    const [next = { kind: 'hello' }, ...others] = this.#receptions;
    if (others.length > 0) this.#receptions = others;
    this.#treat(next, (then) => this.#upgrades.handleUpgrade(request, socket, head, then));
  }

  #treat(reception: Reception, upgrade: (then: (socket: WebSocket) => void) => void): void {
    switch (reception.kind) {
      case 'hello':
        upgrade((socket) => this.#greet(socket));
        return;
      case 'dismissal':
        upgrade((socket) => {
          this.#greet(socket);
          sendDismissal(socket, reception.reason);
        });
        return;
      case 'refusal':
        upgrade((socket) => sendDismissal(socket, reception.reason));
        return;
      case 'no-upgrade':
        this.#late.push(() => upgrade((socket) => this.#greet(socket)));
        return;
      case 'no-hello':
        upgrade((socket) => void this.#late.push(() => this.#greet(socket)));
        return;
    }
  }

  #greet(socket: WebSocket): void {
    const nth = this.#greeted.push(socket);
    socket.on('message', (data) => this.events.push(`ack ${JSON.parse(String(data)).envelope_id} on ${nth}`));
    socket.on('close', () => this.events.push(`closed ${nth}`));
    this.events.push(`hello ${nth}`);
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  }
}

function sendDismissal(socket: WebSocket, reason: string): void {
  socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink' } }));
}
