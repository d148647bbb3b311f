import { createHands, type Hands } from './actions.ts';
import type { Seat } from './client.ts';
import { createEyes, type Eyes } from './queries.ts';

/** A member, driven by a test: everything it does is something a person could do. */
export type Person = { readonly id: string } & Eyes & Hands;

export function createPerson(seat: Seat, id: string): Person {
  const eyes = createEyes(seat, id);
  return { id, ...eyes, ...createHands(seat, id, eyes) };
}
