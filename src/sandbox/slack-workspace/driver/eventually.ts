import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 15;

/** How long a driven person waits for something to appear: a busy machine must not reach it. */
export const PATIENCE_MS = 60_000;

/** Looks until there is something to find. Rejects after `withinMs` with what `explain` says. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  explain: () => Promise<string>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() >= until) throw new Error(await explain());
    await pause(LOOK_EVERY_MS);
  }
}
