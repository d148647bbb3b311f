/** A single request that waits for something slow, such as opening a modal, doesn't stop the work. */
const FEW = 1;
/** In a rush the work goes on slowly: one start each time, since a rush may last. */
const RUSH_EVERY_MS = 50;

/** `urgent`: a person's decision or start on its way to the crew. */
export type Urgency = 'urgent' | 'normal';

/**
 * Lets clicks and webhooks go before the worker's own work: Slack shows an error after three seconds, and due actions have
 * time. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingRequests {
  #count = 0;
  #isScheduled = false;
  #rush: NodeJS.Timeout | null = null;
  readonly #waiting: Record<Urgency, (() => void)[]> = { urgent: [], normal: [] };

  /** A request has arrived. Returns what to call, once, when it is answered. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      this.#schedule();
    };
  }

  /**
   * Resolves when hardly any request is pending, or when its turn comes in a rush, and for one caller per turn of the event
   * loop: Node accepts only one new connection per turn (https://github.com/libuv/libuv/pull/3696), so long turns delay
   * requests that haven't even arrived yet.
   */
  yieldToRequests(urgency: Urgency): Promise<void> {
    return new Promise((go) => {
      this.#waiting[urgency].push(go);
      this.#schedule();
    });
  }

  #schedule(): void {
    const { urgent, normal } = this.#waiting;
    if (this.#isScheduled || urgent.length + normal.length === 0) return;
    if (this.#count > FEW) {
      this.#rush ??= setTimeout(() => this.#letOneGo(), RUSH_EVERY_MS);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => this.#letOneGo());
  }

  #letOneGo(): void {
    if (this.#rush) clearTimeout(this.#rush);
    this.#rush = null;
    this.#isScheduled = false;
    const { urgent, normal } = this.#waiting;
    (urgent.shift() ?? normal.shift())?.();
    this.#schedule();
  }
}
