import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { freePort } from '../../../src/setup/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import type { Posted, Published } from '../stubs/state.ts';
import { runProgram } from './run-program.ts';

interface StubCounts {
  posts: number;
  cards: number;
  /** Messages that were updated. */
  updated: number;
  resumed: number;
  kickoffs: number;
  /** Calls of Slack's Web API by method. */
  calls: Record<string, number>;
  refused: number;
  /** Since Slack or a crew was last asked for anything but a status. */
  quietMs: number;
}

type Command = 'forget' | 'limit' | 'resumes-unavailable' | 'resumes-available';

/** The stand-ins of Slack and the crews, in a process of their own. Instants are those of this machine's monotonic clock. */
export interface Stubs {
  /** Ends in a slash. */
  slackApiUrl: string;
  crewUrl: string;
  counts(): Promise<StubCounts>;
  posted(): Promise<Posted[]>;
  updated(): Promise<{ ts: string; at: number }[]>;
  resumed(): Promise<{ taskId: string; at: number }[]>;
  /** The Home tabs that were published. */
  published(): Promise<Published[]>;
  /** The bodies of kickoffs and resumes, which say where webhooks go. */
  addresses(): Promise<string[]>;
  tell(command: Command): Promise<void>;
  /** What the status of an execution says from now on. */
  progress(id: string, completedTasks: number, tasks: number): Promise<void>;
  /** Resolves when Slack and the crews haven't been asked for anything but a status for this long. */
  untilQuiet(quietMs: number, mostMs?: number): Promise<void>;
  /** @throws after `mostMs` */
  until(what: string, reached: (counts: StubCounts) => boolean, mostMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startStubs(core: string | null): Promise<Stubs> {
  const port = await freePort();
  const env = { PORT: String(port) };
  const running = await runProgram({ args: [programPath('stubs')], env, ready: 'The stubs are ready', core });
  const url = `http://127.0.0.1:${port}`;
  const ask = async <T>(what: string) => {
    const { body } = await request(`${url}/control/${what}`);
    return (await body.json()) as T;
  };
  const counts = () => ask<StubCounts>('counts');

  async function until(what: string, reached: (now: StubCounts) => boolean, mostMs = 120_000): Promise<void> {
    const deadline = performance.now() + mostMs;
    for (;;) {
      const now = await counts();
      if (reached(now)) return;
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}: ${JSON.stringify(now)}`);
      await pause(20);
    }
  }

  return {
    slackApiUrl: `${url}/api/`,
    crewUrl: `${url}/crew`,
    counts,
    posted: () => ask('posted'),
    updated: () => ask('updated'),
    resumed: () => ask('resumed'),
    published: () => ask('published'),
    addresses: () => ask('addresses'),
    tell: (command) => ask(command),
    progress: (id, completedTasks, tasks) => ask(`progress/${id}/${completedTasks}/${tasks}`),
    untilQuiet: (quietMs, mostMs) => until('quiet', (now) => now.quietMs >= quietMs, mostMs),
    until,
    stop: () => running.kill(),
  };
}
