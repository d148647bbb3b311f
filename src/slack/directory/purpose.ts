import type { Millis } from '../../core/values/time.ts';

/** The use of an answer of Slack. A `fact` decides who may decide or who is notified, so it must be fresh; anything else is `shown`. */
export type Purpose = 'fact' | 'shown';

export const MOST_AGE_MS: Record<Purpose, Millis> = { fact: 60_000, shown: 10 * 60_000 };

/** A look-up goes on for so long after people stopped waiting, so that their next try finds its answer. */
export const GIVE_UP_MS = 10_000;
