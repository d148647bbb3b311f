import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SetupError } from './commands.mjs';
import { freePort } from './free-port.ts';
import { endLeftBehindRedis } from './left-behind-redis.ts';
import { ensureRedisServer } from './redis-server.mjs';

export type RedisOptions = {
  /** An existing folder for its socket and data. */
  folder: string;
  /** The TCP port on 127.0.0.1; a free one by default. */
  port?: number;
  /** Write each change to disk before answering, and load what is in `folder` at the start. */
  appendOnly?: boolean;
  /** Extra command-line arguments: `['--save', '60 1']`. */
  args?: readonly string[];
};

type RedisProcess = {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  /** Sends a signal: SIGSTOP makes it hang, SIGCONT resumes it. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal (SIGTERM by default, which lets it save) and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

const running = new Set<ChildProcess>();
// Otherwise a process that exits without stopping its servers would leave them running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a redis-server on 127.0.0.1 and resolves when it accepts commands.
 * @throws {SetupError} when no redis-server can be found or installed, or another one is using the folder
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
      // Keep draining the pipe: redis-server would block on a full one.
      child.stdout?.off('data', read).resume();
      resolve();
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new SetupError(`redis-server exited during start-up:\n${log}`)));
  });
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  // A stopped process handles SIGTERM only once it resumes.
  child.kill('SIGCONT');
  await ended;
}
