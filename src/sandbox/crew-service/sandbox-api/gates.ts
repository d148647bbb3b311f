import { EventEmitter, once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { retryUntilSuccess } from '../redis/connection.ts';

/** Named points at which scripts and faults wait until a test lets them through. Which gates are open is kept in Redis. */
export interface Gates {
  /** Resolves when the gate is open. Rejects only when `signal` aborts. */
  wait(gate: string, signal: AbortSignal): Promise<void>;
  open(gate: string): Promise<void>;
  shut(gate: string): Promise<void>;
}

export function createGates(redis: Redis, prefix: string, logger: Logger): Gates {
  const opened = new EventEmitter();
  opened.setMaxListeners(0);
  const key = `${prefix}open-gates`;

  return {
    async wait(gate, signal) {
      // Listen before looking: the gate may open in between.
      const controller = new AbortController();
      const opening = once(opened, gate, { signal: AbortSignal.any([signal, controller.signal]) });
      opening.catch(() => {});
      const isOpen = await retryUntilSuccess(() => redis.sismember(key, gate), signal, logger);
      if (isOpen === 1) controller.abort();
      else await opening;
    },
    async open(gate) {
      await redis.sadd(key, gate);
      opened.emit(gate);
    },
    async shut(gate) {
      await redis.srem(key, gate);
    },
  };
}
