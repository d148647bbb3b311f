import type { Caller } from '../executions/run.ts';
import type { DeliveryAttempt } from '../webhooks/delivery.ts';

/** A request as received, and its outcome. */
export type RecordedRequest = {
  readonly number: number;
  readonly at: number;
  readonly crew: string;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  /** The headers without `authorization`: see `caller`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whose token it came with, revoked or not; absent for an unknown one. */
  readonly caller?: Caller;
  readonly body: string;
  /** True if it was processed, even if refused; false if a fault prevented that. */
  readonly applied: boolean;
  /** undefined while in progress. */
  readonly answer?:
    | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | 'silence'
    | 'disconnect';
  /** For a silence: when the caller gave up. */
  readonly answeredAt?: number;
};

/** One delivery attempt, or a notification dropped by a fault. */
export type RecordedWebhook = {
  readonly number: number;
  readonly at: number;
  readonly crew: string;
  readonly kind: string;
  readonly executionId: string;
  readonly runId: string;
  readonly url: string;
  readonly body: string;
  readonly outcome: DeliveryAttempt['outcome'] | 'dropped';
};

const KEPT = 50_000;
const KEPT_CHARACTERS = 64 * 1024 * 1024;
const LONGEST_BODY = 65_536;

/** Traffic kept in memory, oldest first: the latest 50,000 of each kind or 64 Mi characters, bodies cut at 64 Ki. */
export interface Records {
  requests(): readonly RecordedRequest[];
  webhooks(): readonly RecordedWebhook[];
  begin(request: Omit<RecordedRequest, 'number' | 'answer' | 'answeredAt' | 'applied'>): number;
  update(number: number, change: Partial<Pick<RecordedRequest, 'applied' | 'answer' | 'answeredAt'>>): void;
  sent(webhook: Omit<RecordedWebhook, 'number'>): void;
  clear(): void;
}

export function createRecords(): Records {
  const requests = createRing<RecordedRequest>();
  const webhooks = createRing<RecordedWebhook>();
  let numbers = 0;
  return {
    requests: requests.all,
    webhooks: webhooks.all,
    begin(request) {
      const number = numbers++;
      requests.add({ ...request, number, body: cut(request.body), applied: false });
      return number;
    },
    update: requests.change,
    sent: (webhook) => webhooks.add({ ...webhook, number: numbers++, body: cut(webhook.body) }),
    clear() {
      requests.clear();
      webhooks.clear();
    },
  };
}

type Entry = { readonly number: number; readonly body: string };

function createRing<Kept extends Entry>() {
  const entries = new Map<number, Kept>();
  let characters = 0;

  function add(entry: Kept): void {
    entries.set(entry.number, entry);
    characters += entry.body.length;
    for (const [number, { body }] of entries) {
      if (entries.size <= KEPT && characters <= KEPT_CHARACTERS) return;
      entries.delete(number);
      characters -= body.length;
    }
  }

  return {
    add,
    all: () => [...entries.values()],
    change(number: number, change: Partial<Kept>): void {
      const entry = entries.get(number);
      if (entry) entries.set(number, { ...entry, ...change });
    },
    clear(): void {
      entries.clear();
      characters = 0;
    },
  };
}

function cut(body: string): string {
  return body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}…` : body;
}
