/** At most `most` pieces of work at a time; the others wait in the order they came. */
export class Slots {
  #free: number;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#free = most;
  }

  /** How many pieces of work are allowed at once, under way, and waiting. */
  get load(): { slots: number; slotsInUse: number; waitingForSlot: number } {
    return { slots: this.#most, slotsInUse: this.#most - this.#free, waitingForSlot: this.#waiting.length };
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
