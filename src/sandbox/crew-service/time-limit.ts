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
