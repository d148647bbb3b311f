/** A single request that waits for something slow, such as opening a modal, doesn't stop the work. */
const FEW = 1;
/** A lasting rush must not stop the work. */
const MOST_MS = 1_000;

/** `urgent`: a person's decision or start on its way to the crew. */
export type Urgency = 'urgent' | 'normal';

interface Waiting {
  until: number;
  go: () => void;
}

/**
 * Lets clicks and webhooks go before the worker's own work: Slack shows an error after three seconds, and due actions have
 * time. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingRequests {
  #count = 0;
  #isScheduled = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #waiting: Record<Urgency, Waiting[]> = { urgent: [], normal: [] };

  /** A request has arrived. Returns what to call, once, when it is answered. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      this.#schedule();
    };
  }

  /**
   * Resolves when hardly any request is pending, or after a second, and for one caller per turn of the event loop: Node
   * accepts only one new connection per turn (https://github.com/libuv/libuv/pull/3696), so long turns delay requests that
   * haven't even arrived yet.
   */
  yieldToRequests(urgency: Urgency): Promise<void> {
    return new Promise((go) => {
      this.#waiting[urgency].push({ until: performance.now() + MOST_MS, go });
      this.#schedule();
    });
  }

  get #next(): Waiting | undefined {
    return this.#waiting.urgent[0] ?? this.#waiting.normal[0];
  }

  #schedule(): void {
    const next = this.#next;
    if (this.#isScheduled || !next) return;
    const waitMs = this.#count > FEW ? next.until - performance.now() : 0;
    if (waitMs > 0) {
      this.#timer ??= setTimeout(() => this.#wake(), waitMs);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => this.#letOneGo());
  }

  #wake(): void {
    this.#timer = null;
    this.#schedule();
  }

  #letOneGo(): void {
    this.#isScheduled = false;
    const { urgent, normal } = this.#waiting;
    (urgent.shift() ?? normal.shift())?.go();
    this.#schedule();
  }
}
