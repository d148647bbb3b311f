import { createEyes, type Eyes } from './eyes.ts';
import { createHands, type Hands } from './hands.ts';
import type { Seat } from './seat.ts';

/** A member, driven by a test: everything it does is something a person could do. */
export type Person = { readonly id: string } & Eyes & Hands;

export function createPerson(seat: Seat, id: string): Person {
  const eyes = createEyes(seat, id);
  return { id, ...eyes, ...createHands(seat, id, eyes) };
}
