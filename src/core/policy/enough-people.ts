// Whether there are enough different people to complete an approval, whoever they are and however they are known.

import { matchPlaces } from './matching.ts';

/** Those whom an approver, or several of them, let decide. */
export interface PeopleFor<Person> {
  /** More than can be needed. */
  isAnybody: boolean;
  has(person: Person): boolean;
}

/** Those who can decide one step: `pools` has those who count for its quorum, then those of each of `all_of`. */
export interface DecidersOf<Pool> {
  quorum: number;
  pools: readonly [Pool, ...Pool[]];
}

/**
 * Whether different people can take all places: in each step one of each of `all_of`, and as many of its approvers as its quorum
 * says, for which those count, too, who are approvers as well.
 */
export function canComplete<Person>(
  steps: readonly DecidersOf<PeopleFor<Person>>[],
  people: readonly Person[],
): boolean {
  return placesOf(steps).some((places) => canTake(places, people));
}

/** Each doubles the ways to look at. */
export const MOST_SEATS = 10;

/** Who may take a place. */
type Place<Person> = readonly PeopleFor<Person>[];

/** The ways to fill the steps: each seat by one who counts for the quorum, too, or by another. */
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
