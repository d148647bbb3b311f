import type { Person } from '../core/approval.ts';
import type { People } from './people.ts';
import type { NameOf } from './views/person.ts';

/** Finds out the names of some people before a view is rendered, since views are pure. */
export type NamesOf = (...people: (Person | null | undefined)[]) => Promise<NameOf>;

export function createNamesOf(people: People): NamesOf {
  return async (...wanted) => {
    const found = new Map<string, string>();
    for (const person of wanted) if (person) found.set(person.id, await people.nameOf(person));
    return (person) => found.get(person.id) ?? person.name;
  };
}
