import { randomBytes } from 'node:crypto';

/** https://docs.slack.dev/reference/methods/views.open#errors */
type TriggerRefusal = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';

/** The person and, if any, the view or the conversation that a trigger came from. */
export type TriggerOrigin = { userId: string; viewId?: string; channelId?: string };

/** A trigger is valid for three seconds and one view. https://docs.slack.dev/interactivity/handling-user-interaction */
export type Triggers = {
  issue(origin: TriggerOrigin): string;
  /** Spends the trigger. */
  exchange(triggerId: string): { origin: TriggerOrigin } | { refusal: TriggerRefusal };
};

export function createTriggers(now: () => number, lifeMs: number): Triggers {
  const issued = new Map<string, { origin: TriggerOrigin; at: number; spent: boolean }>();
  return {
    issue(origin) {
      dropOldest(issued);
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

const MAX_ENTRIES = 5000;

/** Bounds the memory of a long-running workspace by dropping the oldest entries. */
export function dropOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    if (entries.size < MAX_ENTRIES) return;
    entries.delete(key);
  }
}
