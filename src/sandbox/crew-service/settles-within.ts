import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for `work`, but not longer than `ms`, and no longer once `signal` aborts. Resolves to whether it has settled;
 * rejects if it rejects by then.
 */
export async function settlesWithin(ms: number, work: Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const stop = () => over.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const tooLong = pause(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), tooLong]);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
