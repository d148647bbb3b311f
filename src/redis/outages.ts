import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Millis } from '../core/values/time.ts';

const TELL_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

interface OutageWatch {
  /** Resolves to the trouble of Redis at the moment; null if there is none. */
  check: () => Promise<string | null>;
  log: Logger;
  /** Ends the watch. */
  signal: AbortSignal;
}

/**
 * Limits what the log says about an outage of Redis, in which everything fails that needs Redis: one warning for each connection and
 * minute, and a line when Redis works again. `logging.ts` asks it before each warning or error, `bot/start-up.ts` before each
 * connection error.
 */
export class Outages {
  readonly #warnedAt = new Map<string, Millis>();
  #watch: OutageWatch | null = null;
  #isLooking = false;

  /** Returns true if the log should warn now. @param connection a node of a Cluster; default: the client's connection to Redis */
  isDue(connection = ''): boolean {
    const now = performance.now();
    const warnedAt = this.#warnedAt.get(connection);
    if (warnedAt !== undefined && now - warnedAt < TELL_EVERY_MS) return false;
    this.#warnedAt.set(connection, now);
    if (this.#watch && !this.#isLooking) void this.#lookUntilOver(this.#watch);
    return true;
  }

  /** Makes the log say when an outage is over. */
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
