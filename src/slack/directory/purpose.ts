import type { Millis } from '../../core/values/time.ts';

/** Whether a policy rests on what Slack answers, or it is only shown. */
export type Purpose = 'fact' | 'shown';

/** How old an answer may be. */
export const MOST_AGE_MS: Record<Purpose, Millis> = { fact: 60_000, shown: 10 * 60_000 };

/** A look-up goes on after nobody waits for it any more, so that a person who tries again finds its answer. */
export const GIVE_UP_MS = 10_000;
