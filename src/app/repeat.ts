import type { Logger } from 'pino';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';

export interface Repeated {
  /** Resolves when what is in progress has ended. */
  stop(): Promise<void>;
}

/** Does something again and again, never twice at a time. What fails is logged, and tried again the next time. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, log, failed, onFault }: { everyMs: Millis; log: Logger; failed: string; onFault: () => void },
): Repeated {
  let working: Promise<void> | null = null;
  const tick = async () => {
    try {
      await work();
    } catch (error) {
      const passes = error instanceof StoreUnavailable;
      if (!passes) onFault();
      log[passes ? 'warn' : 'error']({ err: error }, failed);
    }
    working = null;
  };
  const timer = setInterval(() => {
    working ??= tick();
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
