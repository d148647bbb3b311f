import { LRUCache } from 'lru-cache';

/** A channel's updates that only tell progress are this far apart. Each costs the workspace one of 50 a minute. */
const EVERY_MS = 3_500;
/** A run whose root wasn't updated for this long doesn't compete. */
const FORGOTTEN_AFTER_MS = 60_000;
const MAX_CHANNELS = 10_000;

/**
 * Spaces out the updates of roots that only tell progress: the more runs share a channel, the longer each waits. So they
 * leave Slack's rates to cards and decisions.
 */
export class ProgressDelays {
  /** When each run of a channel was last updated, by channel and ref, oldest first, on this process' monotonic clock. */
  readonly #updatedAt = new LRUCache<string, Map<string, number>>({ max: MAX_CHANNELS, memoMethod: () => new Map() });

  /** How long this run is to wait until it tells its progress, in milliseconds. */
  waitMs(channel: string, ref: string, now = performance.now()): number {
    const runs = this.#competing(channel, now);
    const updatedAt = runs.get(ref);
    return updatedAt === undefined ? 0 : Math.max(0, updatedAt + runs.size * EVERY_MS - now);
  }

  /** The root of this run was updated, whatever it told. */
  updated(channel: string, ref: string, now = performance.now()): void {
    const runs = this.#competing(channel, now);
    runs.delete(ref);
    runs.set(ref, now);
  }

  /** This run has ended, so it no longer competes. */
  forget(channel: string, ref: string): void {
    this.#updatedAt.get(channel)?.delete(ref);
  }

  #competing(channel: string, now: number): Map<string, number> {
    const runs = this.#updatedAt.memo(channel);
    for (const [ref, updatedAt] of runs) {
      if (now - updatedAt < FORGOTTEN_AFTER_MS) break;
      runs.delete(ref);
    }
    return runs;
  }
}
