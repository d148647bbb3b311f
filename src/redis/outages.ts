import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Millis } from '../core/values/time.ts';

const TELL_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

interface OutageWatch {
  /** Resolves to what is wrong with Redis at the moment; null if nothing is. */
  check: () => Promise<string | null>;
  log: Logger;
  /** Ends the watch. */
  signal: AbortSignal;
}

/**
 * The outages of Redis that a process' log tells. An outage makes everything fail that needs Redis, so the log has one warning
 * for each connection and minute, and a line when Redis works again.
 */
export class Outages {
  readonly #toldAt = new Map<string, Millis>();
  #watch: OutageWatch | null = null;
  #isLooking = false;

  /** Whether the log should warn now. @param connection a node of a Cluster; default: the client's connection to Redis */
  isDue(connection = ''): boolean {
    const now = performance.now();
    const toldAt = this.#toldAt.get(connection);
    if (toldAt !== undefined && now - toldAt < TELL_EVERY_MS) return false;
    this.#toldAt.set(connection, now);
    if (this.#watch && !this.#isLooking) void this.#lookUntilOver(this.#watch);
    return true;
  }

  /** From now on, the log says when an outage is over. */
  watch(watch: OutageWatch): void {
    this.#watch = watch;
  }

  async #lookUntilOver({ check, log, signal }: OutageWatch): Promise<void> {
    this.#isLooking = true;
    const beganAt = performance.now();
    do {
      await pause(LOOK_EVERY_MS, null, { ref: false });
      if (signal.aborted) return;
    } while ((await check()) !== null);
    this.#isLooking = false;
    log.info({ awayS: Math.round((performance.now() - beganAt) / 1000) }, 'Redis works again');
  }
}
