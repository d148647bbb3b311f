/** A single request that waits for something slow, such as opening a modal, is no rush. */
const FEW = 1;
/** Neither are so many within so many milliseconds. */
const RUSH = { requests: 6, withinMs: 10 };
/** How soon the end of a rush is noticed. */
const LOOK_EVERY_MS = 5;
/** In a rush the work goes on slowly, since a rush may last: one start each time. */
const START_EVERY_MS = 50;

/** `urgent`: a person's decision or start on its way to the crew. */
export type Urgency = 'urgent' | 'normal';

/**
 * Lets clicks and webhooks go before the worker's own work when they rush in: Slack shows an error after three seconds, and
 * due actions have time. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingRequests {
  readonly #waiting: Record<Urgency, (() => void)[]> = { urgent: [], normal: [] };
  /** When the latest requests arrived, in a ring. */
  readonly #arrivedAt = new Float64Array(RUSH.requests).fill(Number.NEGATIVE_INFINITY);
  #arrived = 0;
  #pending = 0;
  #startedAt = Number.NEGATIVE_INFINITY;
  #next: NodeJS.Immediate | NodeJS.Timeout | null = null;

  /** A request has arrived. Returns what to call, once, when it is answered. */
  begin(): () => void {
    this.#arrivedAt[this.#arrived++ % RUSH.requests] = performance.now();
    this.#pending += 1;
    return () => {
      this.#pending -= 1;
    };
  }

  /**
   * Resolves unless there is a rush, or when its turn comes in a rush, and for one caller per turn of the event loop: Node
   * accepts only one new connection per turn (https://github.com/libuv/libuv/pull/3696), so long turns delay requests that
   * haven't even arrived yet.
   */
  yieldToRequests(urgency: Urgency): Promise<void> {
    return new Promise((go) => {
      this.#waiting[urgency].push(go);
      this.#schedule();
    });
  }

  #schedule(): void {
    const { urgent, normal } = this.#waiting;
    if (this.#next || urgent.length + normal.length === 0) return;
    const startOne = () => this.#startOne();
    this.#next = this.#isRush() ? setTimeout(startOne, LOOK_EVERY_MS) : setImmediate(startOne);
  }

  #startOne(): void {
    this.#next = null;
    const now = performance.now();
    if (!this.#isRush() || now - this.#startedAt >= START_EVERY_MS) {
      this.#startedAt = now;
      const { urgent, normal } = this.#waiting;
      (urgent.shift() ?? normal.shift())?.();
    }
    this.#schedule();
  }

  #isRush(): boolean {
    // The next place in the ring is that of the oldest.
    const oldest = this.#arrivedAt[this.#arrived % RUSH.requests] ?? Number.NEGATIVE_INFINITY;
    return this.#pending > FEW || performance.now() - oldest < RUSH.withinMs;
  }
}
