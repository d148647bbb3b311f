// Keeps a process of the demo running: one that dies, by itself or because a visitor killed it, is started again.
import { setTimeout as pause } from 'node:timers/promises';

/** A process that is ready. */
export type Running = {
  /** Resolves when it has ended, for whatever reason, to how: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** SIGKILL: it has no time to do anything. */
  kill(): void;
  stop(): Promise<void>;
};

export type Supervised = {
  /** Kills the process. Resolves once it is back, or isn't started any more, to a sentence that says so. */
  kill(): Promise<string>;
  stop(): Promise<void>;
};

type SupervisorOptions = {
  /** The name at the beginning of a sentence: `The bot`. */
  readonly name: string;
  /** Resolves once it is ready; rejects if it ends before, or is no longer wanted. */
  start(stopping: AbortSignal): Promise<Running>;
  /** Says what happened by itself. */
  tell(text: string): void;
  /** The pauses before each start in a row; after the last one, it gives up. */
  readonly pausesMs?: readonly number[];
  /** The time for which a process must have run for its end to be a new one, not one of several in a row. */
  readonly steadyMs?: number;
};

const PAUSES_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];
const STEADY_MS = 20_000;

type State =
  | { readonly status: 'running'; readonly process: Running; readonly since: number }
  | { readonly status: 'restarting'; readonly back: Promise<void> }
  | { readonly status: 'given-up' };

/** Starts the process and keeps it running until it is stopped. Rejects if its first start fails. */
export async function supervise(options: SupervisorOptions): Promise<Supervised> {
  const { name, start, tell, pausesMs = PAUSES_MS, steadyMs = STEADY_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let state = running(await start(signal));
  let starts = 0;
  let isKilled = false;

  function running(process: Running): State {
    void process.ended.then(ended);
    return { status: 'running', process, since: Date.now() };
  }

  function ended(how: string): void {
    if (signal.aborted || state.status !== 'running') return;
    // The visitor ended it, which says nothing about the process.
    if (isKilled || Date.now() - state.since >= steadyMs) starts = 0;
    if (!isKilled) tell(`${name} ended (${how}). The demo starts it again.`);
    state = { status: 'restarting', back: restart() };
  }

  async function restart(): Promise<void> {
    for (const pauseMs of pausesMs.slice(starts)) {
      starts += 1;
      await pause(pauseMs, undefined, { signal }).catch(() => {});
      const process = signal.aborted ? undefined : await start(signal).catch(() => undefined);
      if (signal.aborted) return process?.stop();
      if (process) {
        state = running(process);
        return;
      }
    }
    state = { status: 'given-up' };
    tell(
      `${name} ended ${pausesMs.length + 1} times in a row, so the demo doesn’t start it any more. The terminal says why; Ctrl-C ends the demo.`,
    );
  }

  async function kill(): Promise<string> {
    if (state.status !== 'running') return `${name} isn’t running.`;
    const killedAt = Date.now();
    isKilled = true;
    state.process.kill();
    await state.process.ended;
    isKilled = false;
    const after = await settled();
    if (after.status !== 'running') return `${name} was killed, and didn’t start again.`;
    return `${name} was killed. It was back after ${((Date.now() - killedAt) / 1000).toFixed(1)} s.`;
  }

  /** The state once nothing is being started. */
  async function settled(): Promise<State> {
    const current = state;
    if (current.status === 'restarting') await current.back;
    return state;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const current = await settled();
    if (current.status === 'running') await current.process.stop();
  }

  return { kill, stop };
}
