import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '../core/time.ts';

interface Step {
  /** When the next step begins at the latest, from the begin of the first one. */
  byMs: Millis;
  /** Ends several things at once, each of which knows how long it may take. */
  end: (withinMs: Millis) => Promise<unknown>[];
}

/** Takes steps one after the other. One that hangs or fails is left behind, so that the last one ends by its time. */
export async function stopInTime(steps: readonly Step[]): Promise<void> {
  const beganAt = performance.now();
  for (const { byMs, end } of steps) {
    const leftMs = () => Math.max(0, beganAt + byMs - performance.now());
    const late = new AbortController();
    const ended = Promise.allSettled(end(leftMs()));
    await Promise.race([ended, pause(leftMs(), null, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }
}
