// Grants that the app gets for a short time: triggers, response URLs, and tickets for Socket Mode.

import { randomBytes, randomUUID } from 'node:crypto';

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
      const grant = issued.get(triggerId);
      if (!grant) return { refusal: 'invalid_trigger_id' };
      if (grant.spent) return { refusal: 'exchanged_trigger_id' };
      if (now() - grant.at > lifeMs) return { refusal: 'expired_trigger_id' };
      grant.spent = true;
      return { origin: grant.origin };
    },
  };
}

/** The target of a `response_url`. */
export type ResponseTarget = {
  userId: string;
  channelId: string;
  /** The clicked message, for `replace_original` and `delete_original`. */
  originalTs?: string;
};

type ResponseUrlRefusal = 'expired_url' | 'used_url' | 'invalid_url';

const RESPONSE_URL_USES = 5;
const RESPONSE_URL_LIFE_MS = 30 * 60_000;

/** Each can be used five times within 30 minutes. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export type ResponseUrls = {
  /** Returns the path of a new URL. */
  issue(target: ResponseTarget): string;
  use(path: string): { target: ResponseTarget } | { refusal: ResponseUrlRefusal };
};

export function createResponseUrls(now: () => number): ResponseUrls {
  const issued = new Map<string, { target: ResponseTarget; at: number; uses: number }>();
  return {
    issue(target) {
      dropOldest(issued);
      const path = `/response/${randomBytes(12).toString('hex')}`;
      issued.set(path, { target, at: now(), uses: 0 });
      return path;
    },
    use(path) {
      const grant = issued.get(path);
      if (!grant) return { refusal: 'invalid_url' };
      if (now() - grant.at > RESPONSE_URL_LIFE_MS) return { refusal: 'expired_url' };
      if (grant.uses >= RESPONSE_URL_USES) return { refusal: 'used_url' };
      grant.uses += 1;
      return { target: grant.target };
    },
  };
}

const TICKET_LIFE_MS = 30_000;

/** A Socket Mode URL works once, within 30 seconds. */
export type Tickets = { issue(): string; redeem(ticket: string): boolean };

export function createTickets(now: () => number): Tickets {
  const issued = new Map<string, number>();
  return {
    issue() {
      const ticket = randomUUID();
      issued.set(ticket, now());
      return ticket;
    },
    redeem(ticket) {
      const at = issued.get(ticket);
      return issued.delete(ticket) && at !== undefined && now() - at <= TICKET_LIFE_MS;
    },
  };
}

const MAX_ENTRIES = 5000;

/** Bounds the memory of a long-running workspace by dropping the oldest entries. */
function dropOldest(entries: Map<string, unknown>): void {
  for (const key of entries.keys()) {
    if (entries.size < MAX_ENTRIES) return;
    entries.delete(key);
  }
}
