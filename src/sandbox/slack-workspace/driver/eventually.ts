import { setTimeout as pause } from 'node:timers/promises';

const POLL_INTERVAL_MS = 30;

/** How long a driven person waits for something to appear; a busy machine must not reach it. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Polls `look` until it finds something. Rejects after `withinMs` with the text from `explain`. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  explain: () => Promise<string>,
  withinMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() >= until) throw new Error(await explain());
    await pause(POLL_INTERVAL_MS);
  }
}
