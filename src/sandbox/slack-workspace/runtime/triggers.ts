import { randomBytes } from 'node:crypto';

/** Why a trigger opens nothing. https://docs.slack.dev/reference/methods/views.open#errors */
export type TriggerRefusal = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';

/** Whose click a trigger came from, and from which open modal, if any. */
export type TriggerOrigin = { userId: string; viewId?: string };

/** Triggers live three seconds and are good for one view. https://docs.slack.dev/interactivity/handling-user-interaction */
export type Triggers = {
  issue(origin: TriggerOrigin): string;
  /** Spends the trigger. */
  exchange(triggerId: string): { origin: TriggerOrigin } | { refusal: TriggerRefusal };
};

export function createTriggers(now: () => number, lifeMs: number): Triggers {
  const issued = new Map<string, { origin: TriggerOrigin; at: number; spent: boolean }>();
  return {
    issue(origin) {
      forgetOldest(issued);
      const id = `${now()}.${issued.size + 1}.${randomBytes(16).toString('hex')}`;
      issued.set(id, { origin, at: now(), spent: false });
      return id;
    },
    exchange(triggerId) {
      const found = issued.get(triggerId);
      if (!found) return { refusal: 'invalid_trigger_id' };
      if (found.spent) return { refusal: 'exchanged_trigger_id' };
      if (now() - found.at > lifeMs) return { refusal: 'expired_trigger_id' };
      found.spent = true;
      return { origin: found.origin };
    },
  };
}

const REMEMBERED = 5000;

/** Keeps a long-running workspace small: the oldest goes when there are too many. */
export function forgetOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    if (entries.size < REMEMBERED) return;
    entries.delete(key);
  }
}
