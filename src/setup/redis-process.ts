import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SetupError } from './commands.mjs';
import { freePort } from './free-port.ts';
import { endLeftBehindRedis } from './left-behind-redis.ts';
import { ensureRedisServer } from './redis-server.mjs';

/** How to start a Redis server of one's own. */
export type RedisOptions = {
  /** An existing folder for its socket and its data. */
  folder: string;
  /** The TCP port on 127.0.0.1; a free one by default. */
  port?: number;
  /** Write every change to disk before it is answered; what is in `folder` is loaded at the start. */
  appendOnly?: boolean;
  /** More settings, as on redis-server's command line: `['--save', '60 1']`. */
  args?: readonly string[];
};

/** A running Redis server. */
export type RedisProcess = {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  /** Sends a signal; SIGSTOP and SIGCONT make it hang and go on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it with this signal (SIGTERM lets it save what it has to) and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

const running = new Set<ChildProcess>();
// A process that ends without stopping its servers would leave them behind for ever.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a redis-server that only this machine reaches and resolves when it takes commands.
 * @throws {SetupError} where there is no redis-server and none can be installed, or another one uses the folder
 */
export async function startRedisProcess(options: RedisOptions): Promise<RedisProcess> {
  const program = await ensureRedisServer();
  const port = options.port ?? (await freePort());
  const socketPath = join(options.folder, 'redis.sock');
  await endLeftBehindRedis(socketPath);
  const child = spawn(program, settings(options, port, socketPath), { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await untilReady(child);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    socketPath,
    signal: (signal) => void child.kill(signal),
    end: (signal = 'SIGTERM') => endOf(child, signal),
  };
}

function settings({ folder, appendOnly = false, args = [] }: RedisOptions, port: number, socketPath: string) {
  const listen = ['--port', `${port}`, '--bind', '127.0.0.1', '--unixsocket', socketPath];
  const durability = appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  return [...listen, '--dir', folder, '--save', '', '--maxmemory-policy', 'noeviction', ...durability, ...args];
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const read = (text: string) => {
      log += text;
      if (!/ready to accept connections/i.test(log)) return;
      // What it says later is of no interest, but has to be read, or it would block on a full pipe.
      child.stdout?.off('data', read).resume();
      resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new SetupError(`redis-server ended at its start:\n${log}`)));
  });
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  // A stopped process acts on SIGTERM only when it goes on.
  child.kill('SIGCONT');
  await ended;
}
