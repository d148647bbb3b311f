import { LRUCache } from 'lru-cache';
import type { Message } from '../core/messages/message.ts';
import { messageKey } from '../core/messages/message.ts';
import type { Millis } from '../core/time.ts';

/** Longer than it takes until a process is known to be gone. */
const REMEMBERED_MS = 60_000;
/** Far more than Slack's rate limits allow in that time. */
const MOST_UPDATES = 1_000;

interface Updated {
  ref: string;
  message: Message;
}

/** The messages that this process has updated in the last minute, while there were others that may have updated them, too. */
export class RecentUpdates {
  readonly #isAlone: () => boolean;
  readonly #updated = new LRUCache<string, Updated & { at: number }>({
    max: MOST_UPDATES,
    ttl: REMEMBERED_MS,
    ttlAutopurge: true,
  });

  constructor(isAlone: () => boolean) {
    this.#isAlone = isAlone;
  }

  add(ref: string, message: Message): void {
    if (this.#isAlone()) return;
    this.#updated.set(`${ref} ${messageKey(message)}`, { ref, message, at: performance.now() });
  }

  /** Those of the last `agoMs`, each message once. */
  since(agoMs: Millis): Updated[] {
    const earliest = performance.now() - agoMs;
    return [...this.#updated.values()].filter(({ at }) => at >= earliest);
  }
}
