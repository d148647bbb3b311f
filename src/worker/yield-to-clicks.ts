import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** One person who waits for something slow, such as a window, is nothing to stop for. */
const FEW = 1;
/** A rush that lasts must not stop the work. */
const MOST_MS = 1_000;
const LOOK_EVERY_MS = 10;

/**
 * Lets people pass first: Slack shows them an error after three seconds, and what is owed has time.
 * https://docs.slack.dev/interactivity/handling-user-interaction/#acknowledgment_response
 */
export class PendingClicks {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** A person begins to wait for an answer. Gives what is to be called, once, when they have it. */
  admit(): () => void {
    this.#waiting += 1;
    return () => {
      this.#waiting -= 1;
    };
  }

  /**
   * Resolves when hardly anybody waits any more, at the latest after a second, and for one caller in each turn of the event
   * loop: in each of them Node accepts one new connection only (https://github.com/libuv/libuv/pull/3696), so that
   * long ones keep people waiting whom nobody knows of yet.
   */
  yieldToClicks(): Promise<void> {
    const until = performance.now() + MOST_MS;
    this.#last = this.#last.then(async () => {
      await nextTurn();
      while (this.#waiting > FEW && performance.now() < until) await pause(LOOK_EVERY_MS);
    });
    return this.#last;
  }
}
