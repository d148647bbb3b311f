import type { Logger } from 'pino';
import type { ChangeSubscriber, StoredChange } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';

interface StoredChangesOptions {
  log: Logger;
  /** Called for each failure of a subscriber, for metrics. */
  onFault: (error: unknown) => void;
}

interface Subscription {
  subscriber: ChangeSubscriber;
  afterMs: Millis;
  waiting: StoredChange[];
}

/**
 * Delivers stored changes to subscribers on a later turn of the event loop, so no click and no webhook waits for them or gets
 * their errors. Waiting changes of a subscriber are delivered together. A dying process loses them, so a subscriber must recover
 * from what is stored.
 */
export class StoredChanges {
  readonly #options: StoredChangesOptions;
  readonly #subscriptions: Subscription[] = [];

  constructor(options: StoredChangesOptions) {
    this.#options = options;
  }

  /** @param afterMs how long to collect changes; subscribers that only watch leave that time to what people wait for */
  subscribe(subscriber: ChangeSubscriber, { afterMs = 0 } = {}): void {
    this.#subscriptions.push({ subscriber, afterMs, waiting: [] });
  }

  /** Takes changes that are durable, in the order in which they were stored. */
  add(changes: readonly StoredChange[]): void {
    if (changes.length === 0) return;
    for (const subscription of this.#subscriptions) {
      if (subscription.waiting.length === 0) this.#deliverLater(subscription);
      subscription.waiting.push(...changes);
    }
  }

  /** Delivers what waits. A stopping process calls it before it closes anything that subscribers need. Never throws. */
  deliver(): void {
    for (const subscription of this.#subscriptions) this.#deliverTo(subscription);
  }

  #deliverLater(subscription: Subscription): void {
    const { afterMs } = subscription;
    if (afterMs === 0) setImmediate(() => this.#deliverTo(subscription));
    else setTimeout(() => this.#deliverTo(subscription), afterMs).unref();
  }

  #deliverTo(subscription: Subscription): void {
    const { subscriber, waiting } = subscription;
    if (waiting.length === 0) return;
    subscription.waiting = [];
    try {
      subscriber.onStored(waiting);
    } catch (error) {
      this.#options.onFault(error);
      this.#options.log.error({ err: error }, 'a subscriber to stored changes failed');
    }
  }
}
