import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

/** What stands before the bots, as a load balancer does: one address for all of them. */
export interface LoadBalancer {
  readonly port: number;
  /** When something last came by, by this process' own clock. */
  lastUsedAt(): number;
  close(): Promise<void>;
}

/** Starts a balancer that hands each connection to the first bot that takes it, in the order of the ports. */
export async function startLoadBalancer(ports: readonly number[]): Promise<LoadBalancer> {
  const sockets = new Set<Socket>();
  let lastUsedAt = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const note = () => {
    lastUsedAt = performance.now();
  };

  /** Tries one bot after the other; a caller that none of them takes is turned away. */
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
    connect(client, ports);
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
