// Waiting that ends in time: by limits, and when the service stops.
import { setMaxListeners } from 'node:events';
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

/** Settles as `work` does, or rejects with the signal's reason once that aborts. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

type Limited<Result> = {
  readonly ms: number;
  /** The message of the `TimeoutError`. */
  readonly words: string;
  readonly stopping: AbortSignal;
  readonly work: (signal: AbortSignal) => Promise<Result>;
};

/**
 * Runs `work` with a signal that aborts when `stopping` does, or after `ms` with a `TimeoutError`.
 * `AbortSignal.any` with `AbortSignal.timeout` looks simpler, but Node 20 may garbage-collect the timeout before it
 * fires, and the wait never ends: https://github.com/nodejs/node/issues/57736
 */
export async function withTimeLimit<Result>({ ms, words, stopping, work }: Limited<Result>): Promise<Result> {
  stopping.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(stopping.reason);
  stopping.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => limit.abort(new DOMException(words, 'TimeoutError')), ms);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

/** Aborts everything that waits when a part of the service stops. Any number of requests and runs may listen. */
export function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
