import type { DueListener } from '../core/ports.ts';
import type { RedisClient } from './connection/call.ts';
import { Subscription } from './connection/subscription.ts';
import { DUE_CHANNEL, ENDED } from './keys.ts';
import type { LocalState } from './local/local-state.ts';

/** Every process announces its heartbeats, too: one that doesn't hear its own for this long may miss those of others. */
const HEARD_MS = 6_000;
/** Shorter, since another connection may hear them. Two heartbeats are missing then. */
const SILENT_MS = 5_000;

/**
 * Hears when other processes have changed an execution, and when that is due. Announcements may get lost, so nothing depends
 * on them: they only spare most of the looks at the queue.
 */
export class DueSignal {
  readonly #local: LocalState;
  readonly #subscription: Subscription;
  #listener: DueListener | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(redis: RedisClient, local: LocalState) {
    this.#local = local;
    this.#subscription = new Subscription(redis, {
      channel: DUE_CHANNEL,
      silentMs: SILENT_MS,
      onMessage: (message) => this.#hear(message),
    });
  }

  listen(listener: DueListener): void {
    this.#listener = listener;
    this.#local.clock.onJump(() => listener.onMissed());
    this.#local.unsureWrites.listen((ref) => listener.onUnsure(ref));
    this.#subscription.start();
  }

  /** Whether announcements arrive at the moment. */
  isListening(): boolean {
    return performance.now() - this.#heardAt < HEARD_MS;
  }

  close(): void {
    this.#subscription.close();
  }

  #hear(message: string): void {
    const [sender = '', dueTime = '', ref = ''] = message.split(' ');
    const [{ records, clock, processId, others }, listener] = [this.#local, this.#listener];
    if (sender === processId) this.#hearOneself();
    else if (dueTime === ENDED) others.forget(sender);
    else others.hear(sender);
    if (sender === processId || ref === '') return;
    records.drop(ref);
    const now = clock.now();
    if (now !== null) listener?.onDue(ref, dueTime === '' ? null : Math.max(0, Number(dueTime) - now));
  }

  #hearOneself(): void {
    const wasListening = this.isListening();
    this.#heardAt = performance.now();
    if (!wasListening) this.#listener?.onMissed();
  }
}
