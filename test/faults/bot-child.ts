import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import type { ServerHost } from '../../src/setup/redis-process.ts';
import { programPath } from '../support/program-path.ts';
import type { RedisProxy } from './redis-proxy.ts';

/** A bot in its own process, which a test can end and restart on the same port. */
export interface BotChild {
  readonly name: string;
  /** Its own proxy of Redis. */
  readonly redis: RedisProxy;
  isAlive(): boolean;
  /** Resolves when it is ready, or when it was killed meanwhile. Does nothing if it is running. */
  start(): Promise<void>;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Asks it to end. */
  stop(): Promise<void>;
  /** Suspends or resumes it, like a machine that swaps. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** The latest output of its processes. */
  printed(): string;
}

const SKEWED_CLOCK = new URL('./skewed-clock.mjs', import.meta.url).href;
const READY_MS = 60_000;
/** A supervisor restarts a bot that can't start because Slack is away. */
const MOST_STARTS = 8;
const KEPT_CHARACTERS = 400_000;

export function createBotChild(options: {
  name: string;
  env: Record<string, string>;
  redis: RedisProxy;
  /** How far its clock is off. */
  clockWrongByMs?: number | undefined;
  /** Default: this machine. */
  host?: ServerHost | undefined;
}): BotChild {
  const { name, redis, clockWrongByMs = 0, host } = options;
  const skew = clockWrongByMs === 0 ? [] : ['--import', SKEWED_CLOCK];
  const env = { PATH: process.env.PATH ?? '', ...options.env, CLOCK_WRONG_BY_MS: String(clockWrongByMs) };
  let child: ChildProcess | null = null;
  let printed = '';

  const hasEnded = (process: ChildProcess) => process.exitCode !== null || process.signalCode !== null;
  const untilReady = async (started: ChildProcessWithoutNullStreams) => {
    let isReady = false;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        isReady ||= text.includes('Signoff is ready');
        printed = `${printed}${text}`.slice(-KEPT_CHARACTERS);
      });
    }
    await eventually(
      async () => isReady || hasEnded(started) || undefined,
      async () => `the bot ${name} did not become ready:\n${printed}`,
      READY_MS,
    );
  };
  const end = async (signal: NodeJS.Signals) => {
    const ending = child;
    if (ending === null || hasEnded(ending)) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  };
  return {
    name,
    redis,
    isAlive: () => child !== null && !hasEnded(child),
    async start() {
      for (let tries = 1; child === null || hasEnded(child); tries++) {
        const bot = [process.execPath, ...skew, programPath('unlimited-bot')];
        const [first = process.execPath, ...rest] = [...(host?.command ?? []), ...bot];
        const started = spawn(first, rest, {
          env,
          stdio: ['pipe', 'pipe', 'pipe'],
        });
        child = started;
        await untilReady(started);
        if (started.signalCode !== null) return;
        if (started.exitCode !== null && tries === MOST_STARTS)
          throw new Error(`the bot ${name} ended with ${started.exitCode}:\n${printed}`);
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (signal) => void child?.kill(signal),
    printed: () => printed,
  };
}
