import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/setup/free-port.ts';
import { type RedisOptions, startRedisProcess } from '../../src/setup/redis-process.ts';
import { tlsSettings } from './tls/certificates.ts';

/** For a server that takes 20 ms to load a key, as DEBUG RELOAD makes it do, too, and serves some commands meanwhile. */
export const SLOW_TO_LOAD = [
  ...['--key-load-delay', '20000', '--loading-process-events-interval-bytes', '1024'],
  ...['--enable-debug-command', 'yes'],
];

/** A private Redis server of a test. */
export type TestRedis = {
  /** What goes into `REDIS_URL`; stays the same over a restart. */
  readonly url: string;
  readonly address: string;
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

export interface TestRedisOptions extends Omit<RedisOptions, 'folder' | 'configFile'> {
  /** `tls`: its port takes nothing else, and only who trusts the test authority can tell that it is ours. Default: plain. */
  encryption?: 'plain' | 'tls';
}

/** A server on a host of its own keeps in this file that it is a replica, and of which server. */
const CONFIG_FILE = 'redis.conf';

/**
 * Starts a real redis-server with an empty data folder (about 20 ms).
 * @param options `appendOnly: true` makes it as durable as Signoff's own instances (`appendfsync always`)
 */
export async function startRedis({
  encryption = 'plain',
  args = [],
  port: wanted,
  ...options
}: TestRedisOptions = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-redis-'));
  const port = wanted ?? (await freePort());
  const settings = encryption === 'tls' ? [...args, ...tlsSettings(port)] : args;
  const address = options.host?.address ?? '127.0.0.1';
  const file = options.host && { configFile: join(folder, CONFIG_FILE) };
  if (file) await writeFile(file.configFile, '');
  const start = () => startRedisProcess({ ...options, ...file, folder, port, args: settings });
  let server = await start();
  const { socketPath } = server;
  return {
    url: `${encryption === 'tls' ? 'rediss' : 'redis'}://${address}:${port}`,
    address,
    port,
    socketPath,
    flush: () => flushAll(socketPath),
    kill: () => server.end('SIGKILL'),
    async restart() {
      await server.end();
      server = await start();
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
