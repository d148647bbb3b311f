import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pinned } from './cores.ts';

/** A program in a process of its own. */
export interface Running {
  pid: number;
  /** From the start of the process to its line of readiness, in milliseconds. */
  readyAfterMs: number;
  /** SIGTERM, and SIGKILL after ten seconds. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface Start {
  /** A path, and arguments of Node.js before it. */
  args: readonly string[];
  env: Record<string, string>;
  /** What it prints when it is ready. */
  ready: string;
  /** As `taskset` names them; null for any. */
  core: string | null;
}

const running = new Set<ChildProcess>();
// Otherwise a bench that fails would leave them running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const STOP_MS = 10_000;
/** Enough to say why a program ended. */
const MOST_PRINTED = 20_000;

/** Resolves when the program is ready; rejects with what it printed where it ended instead. */
export async function runProgram({ args, env, ready, core }: Start): Promise<Running> {
  const [command, ...rest] = pinned(core, [process.execPath, ...args]);
  const began = performance.now();
  const child = spawn(command, rest, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: 'pipe' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const readyAfterMs = await new Promise<number>((resolve, reject) => {
    let printed = '';
    const read = (text: string) => {
      printed = (printed + text).slice(-MOST_PRINTED);
      if (printed.includes(ready)) resolve(performance.now() - began);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${args.at(-1)} ended with ${code}:\n${printed}`)));
  });
  return {
    pid: child.pid ?? 0,
    readyAfterMs,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const lastResort = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(lastResort);
}
