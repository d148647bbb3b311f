import type { Logger } from 'pino';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';

export interface Repeated {
  /** Resolves when what is in progress has ended. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  everyMs: Millis;
  /** When it is done for the first time: now, or after that time, which is the default. */
  first?: 'now' | 'later';
  log: Logger;
  failed: string;
  onFault?: () => void;
}

/** Does something again and again, never twice at a time. What fails is logged, and tried again the next time. */
export function repeat(
  work: () => Promise<void>,
  { everyMs, first = 'later', log, failed, onFault = () => {} }: RepeatOptions,
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
  if (first === 'now') working = tick();
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
