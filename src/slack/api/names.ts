import type { Person } from '../../core/approval/approval.ts';
import type { NameOf } from '../ui/person.ts';
import type { People } from './users.ts';

/** Finds out the names of some people before a view is rendered, since views are pure. */
export type NamesOf = (...people: (Person | null | undefined)[]) => Promise<NameOf>;

export function createNamesOf(people: People): NamesOf {
  return async (...wanted) => {
    const asked = new Map(wanted.flatMap((person) => (person ? [[person.id, person]] : [])));
    const named = Array.from(asked.values(), async (person) => [person.id, await people.nameOf(person)] as const);
    const found = new Map(await Promise.all(named));
    return (person) => found.get(person.id) ?? person.name;
  };
}
