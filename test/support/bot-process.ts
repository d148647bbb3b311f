import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { type Program, programPath } from './program-path.ts';

/** A bot in a process of its own, as an operator runs it. */
export interface BotProcess {
  /** Kills it without warning. */
  kill(): Promise<unknown>;
  /** Asks it to end, as an operator does. Resolves to its exit code: 1 where it gave up after eight seconds. */
  stop(): Promise<number | null>;
  /** Tells it something, as an operating system does. */
  signal(signal: NodeJS.Signals): void;
  /** Everything that it printed so far. */
  printed(): string;
}

const READY_MS = 60_000;

/**
 * Resolves when the bot is ready; rejects with what it printed where it ended instead.
 * @param program `bot` is the operator's, `unlimited-bot` keeps no rate limits
 */
export function startBotProcess(env: Record<string, string>, program: Program = 'bot'): Promise<BotProcess> {
  return runUntilPrinted('Signoff is ready', env, program);
}

/** The same, but resolves as soon as the bot has printed this. */
export async function runUntilPrinted(
  wanted: string,
  env: Record<string, string>,
  program: Program = 'bot',
): Promise<BotProcess> {
  const { child, printed } = runBot(env, program);
  await eventually(
    async () => (child.exitCode !== null || printed().includes(wanted) ? true : undefined),
    async () => `the bot did not print "${wanted}":\n${printed()}`,
    READY_MS,
  );
  if (child.exitCode !== null) throw new Error(`the bot ended with ${child.exitCode}:\n${printed()}`);
  return {
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    signal: (signal) => void child.kill(signal),
    printed,
  };
}

/** Runs a bot that should not come up; resolves to how it ended. */
export async function failToStart(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const { child, printed } = runBot(env);
  await once(child, 'close', { signal: AbortSignal.timeout(READY_MS) });
  return { code: child.exitCode, printed: printed() };
}

function runBot(env: Record<string, string>, program: Program = 'bot') {
  const child = spawn(process.execPath, [programPath(program)], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  return { child, printed: () => printed };
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
