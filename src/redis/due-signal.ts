import { Cluster } from 'ioredis';
import type { DueListener } from '../core/ports.ts';
import type { RedisClient } from './connection/call.ts';
import { DUE_CHANNEL } from './keys.ts';
import type { LocalState } from './local/local-state.ts';

/** Every process announces its heartbeats, too: one that doesn't hear its own for this long may miss those of others. */
const HEARD_MS = 6_000;

/**
 * Hears when other processes have changed an execution, and when that is due. Announcements may get lost, so nothing depends
 * on them: they only spare most of the looks at the queue.
 */
export class DueSignal {
  readonly #local: LocalState;
  readonly #subscriber: RedisClient;
  #listener: DueListener | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(redis: RedisClient, local: LocalState) {
    this.#local = local;
    // A Cluster keeps a connection for subscriptions of its own.
    this.#subscriber = redis instanceof Cluster ? redis : redis.duplicate({ lazyConnect: true });
  }

  listen(listener: DueListener): void {
    this.#listener = listener;
    this.#local.clock.onJump(() => listener.onMissed());
    this.#local.unsureWrites.listen((ref) => listener.onUnsure(ref));
    const subscriber = this.#subscriber;
    subscriber.on('message', (_channel: string, message: string) => this.#hear(message));
    // The connection for commands reports what is wrong with Redis.
    if (!(subscriber instanceof Cluster)) subscriber.on('error', () => {});
    subscriber.on('ready', () => void subscriber.subscribe(DUE_CHANNEL).catch(() => {}));
    if (subscriber instanceof Cluster) void subscriber.subscribe(DUE_CHANNEL).catch(() => {});
    else void subscriber.connect().catch(() => {});
  }

  /** Whether announcements arrive at the moment. */
  isListening(): boolean {
    return performance.now() - this.#heardAt < HEARD_MS;
  }

  close(): void {
    if (!(this.#subscriber instanceof Cluster)) this.#subscriber.disconnect();
  }

  #hear(message: string): void {
    const [sender = '', dueTime = '', ref = ''] = message.split(' ');
    const [{ records, clock, processId }, listener] = [this.#local, this.#listener];
    if (sender === processId) this.#hearOneself();
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
