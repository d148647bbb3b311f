import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** One address for all bots. */
export interface LoadBalancer {
  readonly port: number;
  /** When bytes last passed, on this process's monotonic clock. */
  lastUsedAt(): number;
  close(): Promise<void>;
}

/**
 * Which bot a connection is offered to first: the first one, or each in its turn. `in-turn-only` offers it to no other, as a Service
 * of Kubernetes does.
 */
export type Balance = 'first' | 'in-turn' | 'in-turn-only';

/** Hands each connection to a bot that accepts it. @param ports may change at any time */
export async function startLoadBalancer(
  ports: readonly number[],
  { balance = 'first' }: { balance?: Balance } = {},
): Promise<LoadBalancer> {
  let connections = 0;
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
  function connect(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void client.destroy();
    const bot = createConnection(port, '127.0.0.1');
    bot.once('error', () => connect(client, others));
    bot.once('connect', () => {
      bot.removeAllListeners('error');
      keep(bot);
      client.on('data', note).pipe(bot);
      bot.on('data', note).pipe(client);
      bot.once('close', () => client.destroy());
      client.once('close', () => bot.destroy());
    });
  }

  const server = createServer((client) => {
    keep(client);
    const from = balance === 'first' ? 0 : connections++ % ports.length;
    const inOrder = [...ports.slice(from), ...ports.slice(0, from)];
    connect(client, balance === 'in-turn-only' ? inOrder.slice(0, 1) : inOrder);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    lastUsedAt: () => lastUsedAt,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
