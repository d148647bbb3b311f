import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Steps } from '../crew-description.ts';
import { errorMessage } from '../error-message.ts';
import { ProcessEnded, RunFault } from '../executions/crew-code.ts';
import { type Json, jsonIn } from '../json.ts';
import { CREW_ENTRY, CREW_PROGRAM } from '../places.ts';
import { settlesWithin } from '../waiting.ts';
import { type FromProcess, fromProcess, type Request, readLines, type ToProcess } from './messages.ts';

/** A process with the code of a crew file, seen from the service. */
export interface CrewProcess {
  /**
   * Resolves to the answer. Rejects with the error that it answers, with `ProcessEnded`, with `RunFault` for what it does
   * wrong as a whole, or with the signal's reason once that aborts; it is ended if it doesn't answer soon after that.
   */
  ask(request: Request, signal: AbortSignal, steps?: Steps): Promise<Json>;
  /** Returns false once it can't be asked any more. */
  isUsable(): boolean;
  /** Ends the process, by force if it doesn't end at once. */
  end(): Promise<void>;
}

type Asked = {
  resolve(value: Json): void;
  reject(error: unknown): void;
  readonly steps: Steps | undefined;
  reported: number;
};

type Reported = Extract<FromProcess, { type: 'step' | 'tell' }>;

/** The limit of one try of a task. */
const MOST_REPORTED = 10_000;

/** In characters. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

/** The number of steps that are being stored, before no more is read from the process. */
const MOST_UNSTORED = 32;

/** The time that a process that is done may take to pass on its code's output. */
const FLUSH_MS = 400;

/** The time that code may take to end by itself once its signal has aborted. */
const GRACE_MS = 1_000;

export function createCrewProcess({ socket, ended, kill }: StartedProcess): CrewProcess {
  const pending = new Map<number, Asked>();
  let failure: Error | undefined;
  let lastId = 0;
  let unstored = 0;

  function fail(error: Error): void {
    failure ??= error;
    kill();
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  }

  function tell(message: ToProcess): void {
    socket.write(`${JSON.stringify(message)}\n`);
  }

  function take(line: string): void {
    if (failure !== undefined) return;
    const parsed = fromProcess.safeParse(jsonIn(line));
    if (parsed.success) {
      handle(parsed.data);
    } else {
      const [issue] = parsed.error.issues;
      fail(
        new RunFault(`The process of the crew sent a malformed message: ${issue?.path.join('.')} ${issue?.message}`),
      );
    }
  }

  function handle(message: FromProcess): void {
    if (message.type === 'stray') {
      fail(new RunFault(message.message));
      return;
    }
    const waiting = pending.get(message.id);
    // It may answer, and report steps, after it was given up.
    if (waiting === undefined) return;
    if (message.type === 'step' || message.type === 'tell') {
      if (++waiting.reported <= MOST_REPORTED) store(message, waiting);
      else fail(new RunFault(`A task may report ${MOST_REPORTED} steps, and this one has reported more.`));
      return;
    }
    pending.delete(message.id);
    if (message.type === 'answer') waiting.resolve(message.value);
    else waiting.reject(new Error(message.message));
  }

  function store(message: Reported, { steps, reject }: Asked): void {
    unstored++;
    if (unstored >= MOST_UNSTORED) socket.pause();
    const stored = message.type === 'step' ? steps?.store(message) : steps?.tell(message.report);
    Promise.resolve(stored)
      .then(() => tell({ type: 'stored', reported: message.reported }), reject)
      .finally(() => {
        unstored--;
        if (unstored < MOST_UNSTORED) socket.resume();
      });
  }

  readLines({
    from: socket,
    longest: LONGEST_MESSAGE,
    take,
    tooLong: () => fail(new RunFault('The process of the crew sent more than 16 MiB at once.')),
  });
  void ended.then((how) => fail(new ProcessEnded(how)));

  return {
    async ask(request, signal, steps) {
      signal.throwIfAborted();
      if (failure) throw failure;
      const id = ++lastId;
      const answer = new Promise<Json>((resolve, reject) => pending.set(id, { resolve, reject, steps, reported: 0 }));
      tell({ ...request, id });
      let grace: NodeJS.Timeout | undefined;
      const abort = () => {
        tell({ type: 'abort', id, reason: String(signal.reason?.message ?? signal.reason) });
        grace = setTimeout(() => fail(new RunFault(String(signal.reason?.message))), GRACE_MS);
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await answer;
      } finally {
        clearTimeout(grace);
        signal.removeEventListener('abort', abort);
        signal.throwIfAborted();
      }
    },
    isUsable: () => failure === undefined,
    async end() {
      const error = new ProcessEnded('the service ended it');
      if (failure === undefined && pending.size === 0) {
        failure = error;
        socket.end();
        await settlesWithin(FLUSH_MS, ended);
      }
      fail(error);
      await ended;
    },
  };
}

/** Secrets that open the service itself stay in the service. */
const SECRETS = [
  'CREW_SERVICE_TOKEN',
  'CREW_SERVICE_USER_TOKENS',
  'CREW_TOKENS',
  'CREW_TOKENS_FILE',
  'DASHBOARD_SECRET',
  'REDIS_URL',
];

export type ProcessSettings = { readonly env: NodeJS.ProcessEnv; readonly memoryMb: number };

type StartedProcess = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The connection for messages. */
  readonly socket: Duplex;
  /** Resolves, once all that it has said was read, to how it ended. */
  readonly ended: Promise<string>;
  /** Ends it, with all processes that it has started. */
  kill(): void;
};

/** The time for which its last output may still be on its way after its end. */
const REMAINS_MS = 1_000;

export function startProcess({ env, memoryMb }: ProcessSettings): StartedProcess {
  const program = [fileURLToPath(CREW_PROGRAM), `${process.pid}`, `${memoryMb}`, CREW_ENTRY.href];
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, ...program], {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name))),
    // It leads a group of its own, so that what it starts ends with it, and Ctrl-C is for the service.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, socket] = child.stdio;
  if (!stdout || !stderr || !isDuplex(socket)) throw new TypeError('A process was started without its pipes.');
  // `ended` reports its end, also if writing to it fails before.
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
