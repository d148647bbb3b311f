import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKOUT, SetupError } from '../../setup/commands.mjs';

type Bot = {
  /** Rejects with `SetupError` if the bot exits instead. */
  untilReady(): Promise<void>;
  /** Resolves to the exit code when the process ends, for whatever reason. */
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
};

/** Runs the bot as in production, in its own process. */
export function spawnBot(env: NodeJS.ProcessEnv, publicUrl: string): Bot {
  const main = join(CHECKOUT, 'dist', 'main.js');
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'inherit', 'inherit'], env });
  const exited = once(child, 'exit').then(([code]) => code);
  return {
    exited,
    async untilReady() {
      while (child.exitCode === null && child.signalCode === null) {
        const response = await fetch(`${publicUrl}/readyz`).catch(() => null);
        if (response?.ok) return;
        await pause(50);
      }
      throw new SetupError('The bot did not start: see above.');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
