import type { Millis } from '../../core/time.ts';

/** When this process last heard of each of the others, which it does while they announce their heartbeats. */
export class OtherProcesses {
  readonly #heardAt = new Map<string, number>();

  hear(id: string): void {
    this.#heardAt.set(id, performance.now());
  }

  isEmpty(): boolean {
    return this.#heardAt.size === 0;
  }

  /** Those of whom nothing was heard for some time, and for how long. */
  silentFor(leastMs: Millis): { id: string; silentMs: Millis }[] {
    const now = performance.now();
    return [...this.#heardAt]
      .map(([id, heardAt]) => ({ id, silentMs: now - heardAt }))
      .filter(({ silentMs }) => silentMs >= leastMs);
  }

  /** False if it was forgotten, or never heard of. */
  forget(id: string): boolean {
    return this.#heardAt.delete(id);
  }
}
