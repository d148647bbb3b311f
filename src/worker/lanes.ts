import { Slots } from './slots.ts';

/** Whom pieces of work call, and how many of them may at once. */
export interface Lane {
  /** Of a fixed set of names: a lane is kept for ever. */
  name: string;
  most: number;
}

/** Pieces of work in lanes by whom they call, so that a service that hangs holds up nothing but the calls to itself. */
export class Lanes {
  readonly #lanes = new Map<string, Slots>();

  /** How many pieces of work are allowed at once, under way and waiting, in all lanes that were used so far. */
  get load(): { slots: number; slotsInUse: number; waitingForSlot: number } {
    const loads = [...this.#lanes.values()].map(({ load }) => load);
    return {
      slots: loads.reduce((sum, { slots }) => sum + slots, 0),
      slotsInUse: loads.reduce((sum, { slotsInUse }) => sum + slotsInUse, 0),
      waitingForSlot: loads.reduce((sum, { waitingForSlot }) => sum + waitingForSlot, 0),
    };
  }

  run<Value>({ name, most }: Lane, work: () => Promise<Value>): Promise<Value> {
    const slots = this.#lanes.get(name) ?? new Slots(most);
    this.#lanes.set(name, slots);
    return slots.run(work);
  }
}
