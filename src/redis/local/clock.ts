import type { Millis } from '../../core/time.ts';

/** A step of this size isn't drift: Redis' clock was set, or another server has taken over. */
const JUMP_MS = 1_000;

/**
 * Redis' clock as far as this process knows it without asking: its own monotonic clock, corrected by each reply that tells
 * the time. Off by no more than the last round trip took, until Redis' clock is set.
 */
export class RedisClock {
  /** Redis' time minus ours, in milliseconds. */
  #offset: number | null = null;
  #onJump: () => void = () => {};

  /** Calls back whenever Redis' clock turns out to be another one than before. */
  onJump(listener: () => void): void {
    this.#onJump = listener;
  }

  /** Null before the first reply. */
  now(): Millis | null {
    return this.#offset === null ? null : Math.floor(performance.now() + this.#offset);
  }

  /** Learns from a reply, which was asked for at `askedAt` by `performance.now()`. */
  learn(time: Millis, askedAt: number): void {
    const [least, most] = [time - performance.now(), time + 1 - askedAt];
    const before = this.#offset;
    this.#offset = before === null ? least : Math.min(Math.max(before, least), most);
    if (before !== null && Math.abs(this.#offset - before) > JUMP_MS) this.#onJump();
  }
}
