import { constants } from 'node:os';

/** npm passes on what the terminal has already sent to all its processes, so one Ctrl-C may come twice. */
const SAME_SIGNAL_MS = 500;
const LONGEST_STOP_MS = 10_000;
const PARENT_CHECK_MS = 250;

/** Read as early as can be: npx may end while this process still starts. */
const PARENT = process.ppid;

type Stopping = {
  readonly stop: () => Promise<void>;
  /** Ends the process. */
  readonly exit: (code: number) => void;
  readonly env: NodeJS.ProcessEnv;
};

/** The first SIGTERM or SIGINT, or the end of npx, stops the process, within 10 seconds; a second signal ends it at once. */
export function stopOnSignals({ stop, exit, env }: Stopping): void {
  let firstAt: number | undefined;

  function received(signal: 'SIGTERM' | 'SIGINT'): void {
    if (firstAt === undefined) {
      firstAt = performance.now();
      setTimeout(() => failed('Not stopped within 10 seconds: what is left is ended.'), LONGEST_STOP_MS);
      stop().then(() => exit(0), failed);
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) exit(128 + constants.signals[signal]);
  }

  function failed(reason: unknown): void {
    process.stderr.write(`${reason}\n`);
    exit(1);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, received);
  if (env.npm_command === 'exec') onceOrphaned(() => received('SIGTERM'));
}

/** npx ends on a signal without passing it on, and leaves what it has started: https://github.com/npm/cli/issues/6684 */
function onceOrphaned(stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS).unref();
}
