import { LRUCache } from 'lru-cache';
import type { Entry } from '../../core/ledger/entry.ts';
import type { Millis } from '../../core/time.ts';
import type { RedisClient } from '../../redis/call.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { isAboutCrew } from '../../redis/ledger/policies.ts';
import type { Places } from '../../redis/ledger/tree.ts';

/** Which runs are exported: those with an entry in this time, of this crew, of this ref. Null for all. */
export interface Filters {
  since: Millis | null;
  /** Not included. */
  until: Millis | null;
  crew: string | null;
  ref: string | null;
}

/** The refs of all runs that may have an entry in this time, by the tiles that do; null for any. */
function refsInTime({ since, until }: Filters, tiles: readonly Places[]): ReadonlySet<string> | null {
  if (since === null && until === null) return null;
  const inTime = tiles.filter(
    (places) => places.until >= (since ?? 0) && places.from < (until ?? Number.POSITIVE_INFINITY),
  );
  return new Set(inTime.flatMap(({ stretches }) => stretches.map(([ref]) => ref)));
}

/** The chains that an export is made from. */
export interface Chains {
  entries(ref: string): Promise<readonly Entry[]>;
  /** False for those that can't be selected, whatever is in them. */
  mayBeSelected(ref: string): boolean;
  isSelected(ref: string): Promise<boolean>;
}

/** Many tiles have entries of the same runs. */
const KEPT_CHAINS = 1_000;

/** @param tiles which entries are sealed */
export function createChains(redis: RedisClient, filters: Filters, tiles: readonly Places[]): Chains {
  const refs = refsInTime(filters, tiles);
  const chains = new LRUCache<string, readonly Entry[]>({ max: KEPT_CHAINS });
  const selected = new Map<string, boolean>();
  const entries = async (ref: string) => {
    const chain = chains.get(ref) ?? (await readChain(redis, ref));
    chains.set(ref, chain);
    return chain;
  };
  return {
    entries,
    mayBeSelected: (ref) => (filters.ref === null || filters.ref === ref) && (refs === null || refs.has(ref)),
    async isSelected(ref) {
      const known = selected.get(ref) ?? (isUnfiltered(filters) || isChosen(ref, await entries(ref), filters));
      selected.set(ref, known);
      return known;
    },
  };
}

export function isUnfiltered({ since, until, crew, ref }: Filters): boolean {
  return since === null && until === null && crew === null && ref === null;
}

function isChosen(ref: string, chain: readonly Entry[], { since, until, crew }: Filters): boolean {
  const isInTime = ({ at }: Entry) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY);
  const isOfCrew =
    crew === null || isAboutCrew(ref, crew) || chain.some(({ facts }) => 'crew' in facts && facts.crew === crew);
  return isOfCrew && chain.some(isInTime);
}
