// Judges whether there are enough different people to complete a request. `shortage.ts` asks about people in Slack, the doctor
// about the names in the crews file.

import { matchPlaces } from './matching.ts';

/** The people for whom one or several approvers stand. */
export interface PeopleFor<Person> {
  /** True for more people than a request can need, such as a channel. */
  isAnybody: boolean;
  has(person: Person): boolean;
}

/** The people who can decide one step: the first of `pools` counts for the quorum, each other one for a seat of `all_of`. */
export interface DecidersOf<Pool> {
  quorum: number;
  pools: readonly [Pool, ...Pool[]];
}

/**
 * Returns true if different people can take all places: in each step one for each seat of `all_of`, and as many approvers as the
 * quorum says. A person on a seat counts for the quorum if they are an approver as well.
 */
export function canComplete<Person>(
  steps: readonly DecidersOf<PeopleFor<Person>>[],
  people: readonly Person[],
): boolean {
  return placesOf(steps).some((places) => canTake(places, people));
}

/** Each seat doubles the number of ways to try. */
export const MOST_SEATS = 10;

/** A place is for people who are in all of these. */
type Place<Person> = readonly PeopleFor<Person>[];

/** Returns the ways to fill the steps: each seat by a person who also counts for the quorum, or by another. */
function placesOf<Person>([step, ...later]: readonly DecidersOf<PeopleFor<Person>>[]): Place<Person>[][] {
  if (!step) return [[]];
  const [approvers, ...seats] = step.pools;
  const ways = seats.reduce<{ places: Place<Person>[]; both: number }[]>(
    (before, seat) =>
      before.flatMap(({ places, both }) => [
        { places: [...places, [seat, approvers]], both: both + 1 },
        { places: [...places, [seat]], both },
      ]),
    [{ places: [], both: 0 }],
  );
  const rest = placesOf(later);
  return ways.flatMap(({ places, both }) => {
    const others = Array.from({ length: Math.max(0, step.quorum - both) }, (): Place<Person> => [approvers]);
    return rest.map((more) => [...places, ...others, ...more]);
  });
}

function canTake<Person>(places: readonly Place<Person>[], people: readonly Person[]): boolean {
  const limited = places.filter((pools) => !pools.every(({ isAnybody }) => isAnybody));
  const taken = matchPlaces(limited, (pools) => people.filter((person) => pools.every((pool) => pool.has(person))));
  return taken.size === limited.length;
}
