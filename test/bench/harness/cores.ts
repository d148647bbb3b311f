import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { onPath } from '../../../src/setup/commands.mjs';

/** Which cores programs run on; null where they can't be chosen. */
export interface Cores {
  count: number;
  /** The one of a server under test. */
  server: string | null;
  /** Those of everything that it talks to. */
  others: string | null;
}

/** With two cores or more, nothing shares that of the server under test. */
export function findCores(): Cores {
  const count = cpus().length;
  const canPin = count > 1 && onPath('taskset') !== undefined;
  const others = count === 2 ? '1' : `1-${count - 1}`;
  return { count, server: canPin ? '0' : null, others: canPin ? others : null };
}

/** A command that runs on these cores only. The process id stays that of the program. */
export function pinned(core: string | null, command: readonly string[]): readonly [string, ...string[]] {
  const [program = '', ...args] = command;
  return core === null ? [program, ...args] : ['taskset', '-c', core, program, ...args];
}

/** Moves this process, and so everything that it starts from now on. */
export function moveThisProcess(core: string | null): void {
  if (core !== null) spawnSync('taskset', ['-acp', core, String(process.pid)]);
}
