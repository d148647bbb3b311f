import type { Steps } from '../executions/crew-code.ts';
import { ProcessEnded, RunFault } from '../executions/run-faults.ts';
import { type Json, jsonIn } from '../json.ts';
import { settlesWithin } from '../settles-within.ts';
import { readLines } from './json-lines.ts';
import { type FromProcess, fromProcess, type Request, type ToProcess } from './messages.ts';
import type { StartedProcess } from './start-process.ts';

/** A process with the code of a crew file, seen from the service. */
export interface CrewProcess {
  /**
   * Resolves to the answer. Rejects with the error that it answers, with `ProcessEnded`, with `RunFault` for what it does
   * wrong as a whole, or with the signal's reason once that aborts; it is ended if it doesn't answer soon after that.
   */
  ask(request: Request, signal: AbortSignal, steps?: Steps): Promise<Json>;
  /** Whether it can still be asked. */
  isUsable(): boolean;
  /** By force, if it doesn't end at once. */
  end(): Promise<void>;
}

type Asked = {
  resolve(value: Json): void;
  reject(error: unknown): void;
  readonly steps: Steps | undefined;
  reported: number;
};

type Reported = Extract<FromProcess, { type: 'step' | 'tell' }>;

/** By one try of a task. */
const MOST_REPORTED = 10_000;

/** In characters. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;

/** Of steps that are being stored, before no more is read from the process. */
const MOST_UNSTORED = 32;

/** How long a process that is done may take to pass on what its code has written. */
const FLUSH_MS = 400;

/** How long code may take to end by itself once its signal has aborted. */
const GRACE_MS = 1_000;

export function createCrewProcess({ socket, ended, kill }: StartedProcess): CrewProcess {
  const asked = new Map<number, Asked>();
  let failure: Error | undefined;
  let lastId = 0;
  let unstored = 0;

  function fail(error: Error): void {
    failure ??= error;
    kill();
    for (const { reject } of asked.values()) reject(failure);
    asked.clear();
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
    const waiting = asked.get(message.id);
    // It may answer, and report steps, after it was given up.
    if (waiting === undefined) return;
    if (message.type === 'step' || message.type === 'tell') {
      if (++waiting.reported <= MOST_REPORTED) store(message, waiting);
      else fail(new RunFault(`A task may report ${MOST_REPORTED} steps, and this one has reported more.`));
      return;
    }
    asked.delete(message.id);
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
      const answer = new Promise<Json>((resolve, reject) => asked.set(id, { resolve, reject, steps, reported: 0 }));
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
      if (failure === undefined && asked.size === 0) {
        failure = error;
        socket.end();
        await settlesWithin(FLUSH_MS, ended);
      }
      fail(error);
      await ended;
    },
  };
}
