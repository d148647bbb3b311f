import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** A single click that waits for something slow, such as opening a modal, doesn't stop the work. */
const FEW = 1;
/** A lasting rush must not stop the work. */
const MOST_MS = 1_000;
const CHECK_EVERY_MS = 10;

/**
 * Lets clicks go before the worker's own work: Slack shows an error after three seconds, and due actions have time.
 * https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingClicks {
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  /** A click has arrived. Returns what to call, once, when it is answered. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }

  /**
   * Resolves when hardly any click is pending, or after a second, and for one caller per turn of the event loop: Node accepts
   * only one new connection per turn (https://github.com/libuv/libuv/pull/3696), so long turns delay clicks that haven't
   * even arrived yet.
   */
  yieldToClicks(): Promise<void> {
    const until = performance.now() + MOST_MS;
    this.#last = this.#last.then(async () => {
      await nextTurn();
      while (this.#count > FEW && performance.now() < until) await pause(CHECK_EVERY_MS);
    });
    return this.#last;
  }
}
