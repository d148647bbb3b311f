import type { Logger } from 'pino';
import type { ChangeSubscriber, StoredChange } from '../core/ports.ts';

interface StoredChangesOptions {
  log: Logger;
  /** Called for each subscriber that fails, for metrics. */
  onFault: () => void;
}

/**
 * Tells subscribers what this process has stored, on a later turn of the event loop: no click and no webhook waits for them, and
 * what they throw reaches nobody else. The changes of one turn are delivered together. A process that dies loses the changes of
 * its last turn, so a subscriber must find its way back from what is stored.
 */
export class StoredChanges {
  readonly #options: StoredChangesOptions;
  readonly #subscribers: ChangeSubscriber[] = [];
  #waiting: StoredChange[] = [];

  constructor(options: StoredChangesOptions) {
    this.#options = options;
  }

  subscribe(subscriber: ChangeSubscriber): void {
    this.#subscribers.push(subscriber);
  }

  /** Takes changes that are durable, in the order in which they were stored. */
  add(changes: readonly StoredChange[]): void {
    if (changes.length === 0) return;
    if (this.#waiting.length === 0) setImmediate(() => this.deliver());
    this.#waiting.push(...changes);
  }

  /** Delivers what waits. A process that stops calls it before it closes anything that subscribers need. Never throws. */
  deliver(): void {
    const changes = this.#waiting;
    if (changes.length === 0) return;
    this.#waiting = [];
    for (const subscriber of this.#subscribers) {
      try {
        subscriber.onStored(changes);
      } catch (error) {
        this.#options.onFault();
        this.#options.log.error({ err: error }, 'a subscriber to stored changes failed');
      }
    }
  }
}
