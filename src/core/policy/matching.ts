/**
 * Gives as many seekers as possible a place of their own, earlier ones first. A seeker with several possible places makes room for
 * one with fewer: augmenting paths, as in Kuhn's algorithm (https://en.wikipedia.org/wiki/Matching_(graph_theory)).
 */
export function matchPlaces<Seeker, Place>(
  seekers: readonly Seeker[],
  placesOf: (seeker: Seeker) => readonly Place[],
): ReadonlyMap<Place, Seeker> {
  const seekerAt = new Map<Place, Seeker>();

  function findPlace(seeker: Seeker, tried: Set<Place>): boolean {
    return placesOf(seeker).some((place) => {
      if (tried.has(place)) return false;
      tried.add(place);
      const other = seekerAt.get(place);
      if (other !== undefined && !findPlace(other, tried)) return false;
      seekerAt.set(place, seeker);
      return true;
    });
  }

  for (const seeker of seekers) findPlace(seeker, new Set());
  return seekerAt;
}
