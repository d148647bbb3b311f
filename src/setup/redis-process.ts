// Starts redis-servers for the demo, the crew service and the tests, and ends them with this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { SetupError } from './commands.mjs';
import { freePort } from './free-port.ts';
import { ensureRedisServer } from './system-programs.mjs';

/** Where a server runs, if not right here. */
export interface ServerHost {
  /** Where it listens, and others reach it. */
  readonly address: string;
  /** What its command line begins with: `['ip', 'netns', 'exec', 'db-1']`. */
  readonly command: readonly string[];
}

const THIS_MACHINE: ServerHost = { address: '127.0.0.1', command: [] };

export type RedisOptions = {
  /** An existing folder for its socket and data. */
  folder: string;
  /** Default: this machine, and only for its own programs. */
  host?: ServerHost;
  /** The TCP port; a free one by default. */
  port?: number;
  /** Write each change to disk before answering, and load what is in `folder` at the start. */
  appendOnly?: boolean;
  /** Ctrl-C in this terminal doesn't reach it, so that it can be stopped after those that use it. */
  ownGroup?: boolean;
  /** A file with more settings, in which the server keeps what it is told later. Default: none. */
  configFile?: string;
  /** Extra command-line arguments: `['--save', '60 1']`. */
  args?: readonly string[];
};

type RedisProcess = {
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  /** Resolves when the server has ended, for whatever reason, to how: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Sends a signal: SIGSTOP makes it hang, SIGCONT resumes it. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal (SIGTERM by default, which lets it save) and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

/** How long a server that was left behind may take to answer. */
const ANSWER_MS = 3_000;

const running = new Set<ChildProcess>();
// Otherwise a process that exits without stopping its servers would leave them running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a redis-server and resolves when it accepts commands.
 * @throws {SetupError} when no redis-server can be found or installed, or another one is using the folder
 */
export async function startRedisProcess(options: RedisOptions): Promise<RedisProcess> {
  const program = await ensureRedisServer();
  const port = options.port ?? (await freePort());
  const socketPath = join(options.folder, 'redis.sock');
  await endLeftBehindRedis(socketPath);
  const { address, command } = options.host ?? THIS_MACHINE;
  const [first = program, ...rest] = [...command, program, ...settings(options, port, socketPath)];
  const child = spawn(first, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: options.ownGroup ?? false,
  });
  running.add(child);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(signal ?? `exit code ${code}`);
    });
  });
  await untilReady(child);
  return {
    url: `redis://${address}:${port}`,
    port,
    socketPath,
    ended,
    signal: (signal) => void child.kill(signal),
    end: (signal = 'SIGTERM') => endOf(child, signal),
  };
}

function settings(
  { folder, host = THIS_MACHINE, configFile, appendOnly = false, args = [] }: RedisOptions,
  port: number,
  socketPath: string,
) {
  const file = configFile === undefined ? [] : [configFile];
  const listen = ['--port', `${port}`, '--bind', host.address, '--unixsocket', socketPath];
  // Without a password, a server on another address would refuse everybody but this machine.
  const open = host === THIS_MACHINE ? [] : ['--protected-mode', 'no'];
  const durability = appendOnly ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  return [
    ...file,
    ...listen,
    ...open,
    '--dir',
    folder,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
    ...durability,
    ...args,
  ];
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

/**
 * Shuts down a server left behind on this socket by a process that was killed: two servers must not share a folder.
 * Does nothing when none is listening.
 * @throws {SetupError} when the server has other clients or doesn't answer
 */
async function endLeftBehindRedis(socketPath: string): Promise<void> {
  const socket = createConnection(socketPath);
  const connected = new Promise((resolve) => socket.once('connect', () => resolve(true)));
  const closed = new Promise((resolve) => socket.once('close', () => resolve(undefined)));
  // An error ends in `close` too.
  socket.on('error', () => {}).setTimeout(ANSWER_MS, () => socket.destroy());
  if (!(await Promise.race([connected, closed]))) return;
  const clients = await Promise.race([clientsOf(socket), closed]);
  if (clients !== 1) {
    socket.destroy();
    const problem =
      clients === undefined ? 'An unresponsive Redis was left behind' : 'Another process runs with its Redis';
    throw new SetupError(`${problem} on ${socketPath}: stop it first.`);
  }
  // The append-only file already holds everything. Redis answers only by closing the connection.
  socket.write('SHUTDOWN NOSAVE\r\n');
  await closed;
}

/** How many clients it has, including this one: https://redis.io/docs/latest/commands/client-list/ */
function clientsOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
      const length = /^\$(\d+)\r\n/.exec(answer);
      const isWhole = length && answer.length >= length[0].length + Number(length[1]);
      if (isWhole) resolve(answer.match(/id=\d+ addr=/g)?.length ?? 0);
    });
    socket.write('CLIENT LIST TYPE NORMAL\r\n');
  });
}
