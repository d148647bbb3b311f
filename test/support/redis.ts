import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisOptions, startRedisProcess } from '../../src/setup/redis-process.ts';

/** A private Redis server of a test. */
export type TestRedis = {
  /** What goes into `REDIS_URL`; stays the same over a restart. */
  readonly url: string;
  readonly port: number;
  /** The same server on a unix socket, which ioredis takes as its `path`. */
  readonly socketPath: string;
  /** Removes every key. */
  flush(): Promise<void>;
  /** Cuts the power: nothing that wasn't on disk survives. */
  kill(): Promise<void>;
  /** Starts it again at the same address with what is on disk; ends it first where it still runs. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
};

/**
 * Starts a real redis-server with an empty data folder (about 20 ms).
 * @param options `appendOnly: true` makes it as durable as Signoff's own instances (`appendfsync always`)
 */
export async function startRedis(options: Omit<RedisOptions, 'folder'> = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-redis-'));
  let server = await startRedisProcess({ ...options, folder });
  const { url, port, socketPath } = server;
  return {
    url,
    port,
    socketPath,
    flush: () => flushAll(socketPath),
    kill: () => server.end('SIGKILL'),
    async restart() {
      await server.end();
      server = await startRedisProcess({ ...options, folder, port });
    },
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async stop() {
      await server.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function flushAll(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath, () => socket.write('FLUSHALL\r\n'));
    socket.once('error', reject);
    socket.once('data', (answer) => {
      socket.destroy();
      if (answer.toString().startsWith('+OK')) resolve();
      else reject(new Error(`FLUSHALL was answered with ${answer}`));
    });
  });
}
