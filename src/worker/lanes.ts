import { Slots } from './slots.ts';

/** Pieces of work in lanes by whom they call, so that a service that hangs holds up nothing but the calls to itself. */
export class Lanes {
  readonly #most: number;
  readonly #lanes = new Map<string, Slots>();

  /** @param most how much may be under way in each lane */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many pieces of work are allowed at once in each lane, and how many are under way and waiting in all of them. */
  get load(): { slots: number; slotsInUse: number; waitingForSlot: number } {
    const loads = [...this.#lanes.values()].map(({ load }) => load);
    return {
      slots: this.#most,
      slotsInUse: loads.reduce((sum, { slotsInUse }) => sum + slotsInUse, 0),
      waitingForSlot: loads.reduce((sum, { waitingForSlot }) => sum + waitingForSlot, 0),
    };
  }

  /** @param lane of a fixed set of names: a lane is kept for ever */
  run<Value>(lane: string, work: () => Promise<Value>): Promise<Value> {
    const slots = this.#lanes.get(lane) ?? new Slots(this.#most);
    this.#lanes.set(lane, slots);
    return slots.run(work);
  }
}
