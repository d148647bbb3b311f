/** A single request that waits for something slow, such as opening a modal, is no rush. */
const FEW = 1;
/** Requests that follow on each other's answers at once are no rush either, unless there are more of them in a row than this. */
const MOST_IN_A_ROW = 5;
const AT_ONCE_MS = 2.5;
/** Time within which the end of a rush is noticed. In a rush, one urgent action starts at each look. */
const LOOK_EVERY_MS = 5;
/** In a rush, one of the other actions starts this often, since a rush may last. */
const START_EVERY_MS = 50;
/** Outside a rush, urgent work goes on at full speed, and the rest slowly, if requests are this close to each other. */
const BUSY_MS = 8;
const BUSY_START_MS = 10;

/** `urgent`: a person's decision or start on its way to the crew. */
export type Urgency = 'urgent' | 'normal';

/**
 * Lets clicks and webhooks go before the worker's own work when they rush in: Slack shows an error after three seconds, and
 * due actions have time. https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingRequests {
  readonly #waiting: Record<Urgency, (() => void)[]> = { urgent: [], normal: [] };
  #pending = 0;
  /** Number of consecutive requests that followed at once on the answer to the one before. */
  #inARow = 0;
  /** Time at which the last request arrived or was answered. */
  #lastAt = Number.NEGATIVE_INFINITY;
  #normalStartedAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #look: NodeJS.Timeout | null = null;

  /** Counts a request that has arrived. Returns what to call, once, when it is answered. */
  begin(): () => void {
    const now = performance.now();
    this.#inARow = now - this.#lastAt < AT_ONCE_MS ? this.#inARow + 1 : 0;
    this.#lastAt = now;
    this.#pending += 1;
    return () => {
      this.#lastAt = performance.now();
      this.#pending -= 1;
    };
  }

  /** Leaves a request that waits for a crew out of the count until the wait is over: it is no part of a rush. */
  async aside<Value>(wait: Promise<Value>): Promise<Value> {
    this.#pending -= 1;
    try {
      return await wait;
    } finally {
      this.#pending += 1;
    }
  }

  /**
   * Resolves unless there is a rush, or when its turn comes in a rush. Of what isn't urgent, one starts per turn of the event
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
    if (this.#isRush() || (urgent.length === 0 && this.#isBusy())) {
      this.#look ??= setTimeout(() => this.#start(), LOOK_EVERY_MS);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => this.#start());
  }

  #start(): void {
    if (this.#look) clearTimeout(this.#look);
    this.#look = null;
    this.#isScheduled = false;
    const now = performance.now();
    const { urgent, normal } = this.#waiting;
    const isRush = this.#isRush();
    const isNormalsTurn = isRush ? now - this.#normalStartedAt >= START_EVERY_MS : !this.#isBusy();
    const others = normal.splice(0, isNormalsTurn ? 1 : 0);
    if (others.length > 0) this.#normalStartedAt = now;
    for (const go of [...urgent.splice(0, isRush ? 1 : urgent.length), ...others]) go();
    this.#schedule();
  }

  #isBusy(): boolean {
    const now = performance.now();
    return now - this.#lastAt < BUSY_MS && now - this.#normalStartedAt < BUSY_START_MS;
  }

  #isRush(): boolean {
    if (this.#pending > FEW) return true;
    return this.#inARow > MOST_IN_A_ROW && performance.now() - this.#lastAt < AT_ONCE_MS;
  }
}
