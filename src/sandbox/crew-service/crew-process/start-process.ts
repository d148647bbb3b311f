import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../error-message.ts';
import { settlesWithin } from '../settles-within.ts';

const MAIN = fileURLToPath(new URL('./child/main.mjs', import.meta.url));

/** What opens the service itself stays in the service. */
const SECRETS = ['CREW_SERVICE_TOKEN', 'CREW_SERVICE_USER_TOKENS', 'CREW_TOKENS', 'CREW_TOKENS_FILE', 'REDIS_URL'];

export type ProcessSettings = { readonly env: NodeJS.ProcessEnv; readonly memoryMb: number };

export type StartedProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The connection for messages. */
  readonly socket: Duplex;
  /** Resolves, once all that it has said was read, to how it ended. */
  readonly ended: Promise<string>;
  /** Ends it, with all processes that it has started. */
  kill(): void;
};

/** How long what it has said may still be on its way after its end. */
const REMAINS_MS = 1_000;

/** Starts a process for the code of crews. */
export function startProcess({ env, memoryMb }: ProcessSettings): StartedProcess {
  const args = [`--max-old-space-size=${memoryMb}`, MAIN, `${process.pid}`, `${memoryMb}`];
  const child = spawn(process.execPath, args, {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name))),
    // It leads a group of its own, so that what it starts ends with it, and Ctrl-C is for the service.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, socket] = child.stdio;
  if (!stdout || !stderr || !isDuplex(socket)) throw new TypeError('A process was started without its pipes.');
  // Its end is told by `ended`, also where writing to it fails before.
  socket.on('error', () => {});
  return { stdout, stderr, socket, ended: endOf(child), kill: () => isRunning(child) && killGroup(child) };
}

function isDuplex(stream: unknown): stream is Duplex {
  return typeof stream === 'object' && stream !== null && 'read' in stream && 'write' in stream;
}

async function endOf(child: ChildProcess): Promise<string> {
  const closed = once(child, 'close').catch(() => {});
  try {
    const [code, signal] = await once(child, 'exit');
    killGroup(child);
    await settlesWithin(REMAINS_MS, closed);
    return inWords(code, signal);
  } catch (error) {
    return `it could not be started: ${errorMessage(error)}`;
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function inWords(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null) return `it exited with code ${code}`;
  // https://github.com/nodejs/node/blob/v20.x/src/node_errors.cc: OOMErrorHandler aborts
  return signal === 'SIGABRT' ? 'it was ended by SIGABRT, as for want of memory' : `it was ended by ${signal}`;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended, and nothing that it started is left.
  }
}
