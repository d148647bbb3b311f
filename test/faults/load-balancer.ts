import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** One address for all bots. */
export interface LoadBalancer {
  readonly port: number;
  /** When bytes last passed, on this process's monotonic clock. */
  lastUsedAt(): number;
  /** Only this bot, by its place among them, gets connections from now on; null for all. Open connections are closed. */
  prefer(bot: number | null): void;
  close(): Promise<void>;
}

/**
 * Which bot a connection is offered to first: the first one, or each in its turn. `in-turn-only` offers it to no other, as a Service
 * of Kubernetes does.
 */
export type Balance = 'first' | 'in-turn' | 'in-turn-only';

/** A bot that has not accepted a connection by then is cut off. */
const CONNECT_MS = 1_000;

/** Hands each connection to a bot that accepts it. @param bots may change at any time */
export async function startLoadBalancer(
  bots: readonly { host?: string; port: number }[],
  { balance = 'first' }: { balance?: Balance } = {},
): Promise<LoadBalancer> {
  let connections = 0;
  let preferred: number | null = null;
  const sockets = new Set<Socket>();
  let lastUsedAt = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const note = () => {
    lastUsedAt = performance.now();
  };

  /** Tries one bot after the other, and closes the connection if none accepts it. */
  function connect(client: Socket, [next, ...others]: typeof bots): void {
    if (next === undefined) return void client.destroy();
    const bot = createConnection({ host: '127.0.0.1', ...next, timeout: CONNECT_MS });
    bot.once('timeout', () => bot.destroy(new Error('silence')));
    bot.once('error', () => connect(client, others));
    bot.once('connect', () => {
      bot.removeAllListeners('error').setTimeout(0);
      keep(bot);
      client.on('data', note).pipe(bot);
      bot.on('data', note).pipe(client);
      bot.once('close', () => client.destroy());
      client.once('close', () => bot.destroy());
    });
  }

  const server = createServer((client) => {
    keep(client);
    const from = balance === 'first' ? 0 : connections++ % bots.length;
    const inTurn = [...bots.slice(from), ...bots.slice(0, from)];
    const candidates = balance === 'in-turn-only' ? inTurn.slice(0, 1) : inTurn;
    connect(client, preferred === null ? candidates : bots.slice(preferred, preferred + 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    lastUsedAt: () => lastUsedAt,
    prefer(bot) {
      preferred = bot;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
