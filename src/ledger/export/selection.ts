import { LRUCache } from 'lru-cache';
import type { Entry } from '../../core/ledger/entry.ts';
import type { Millis } from '../../core/time.ts';
import type { RedisClient } from '../../redis/connection/call.ts';
import { readChain } from '../../redis/ledger/chain.ts';
import { crewChain } from '../../redis/ledger/policies.ts';
import { readPlaces } from '../../redis/ledger/tree.ts';

/** Which runs are exported: those with an entry in this time, of this crew, of this ref. Null for all. */
export interface Filters {
  since: Millis | null;
  /** Not included. */
  until: Millis | null;
  crew: string | null;
  ref: string | null;
}

/**
 * The refs of all runs that may have an entry in this time, by the tiles that do; null for any. A tile that has expired has
 * none. @throws {StoreUnavailable}
 */
export async function refsInTime(
  redis: RedisClient,
  { since, until }: Filters,
  tiles: number,
): Promise<ReadonlySet<string> | null> {
  if (since === null && until === null) return null;
  const refs = new Set<string>();
  for (let tile = 0; tile < tiles; tile++) {
    const places = await readPlaces(redis, tile);
    const isOutside = places.until < (since ?? 0) || places.from >= (until ?? Number.POSITIVE_INFINITY);
    for (const [ref] of isOutside ? [] : places.stretches) refs.add(ref);
  }
  return refs;
}

/** The chains that an export is made from. */
export interface Chains {
  entries(ref: string): Promise<readonly Entry[]>;
  isSelected(ref: string): Promise<boolean>;
}

/** Many tiles have entries of the same runs. */
const KEPT_CHAINS = 1_000;

export function createChains(redis: RedisClient, filters: Filters, refs: ReadonlySet<string> | null): Chains {
  const chains = new LRUCache<string, readonly Entry[]>({ max: KEPT_CHAINS });
  const selected = new Map<string, boolean>();
  const entries = async (ref: string) => {
    const chain = chains.get(ref) ?? (await readChain(redis, ref));
    chains.set(ref, chain);
    return chain;
  };
  return {
    entries,
    async isSelected(ref) {
      if (isUnfiltered(filters)) return true;
      const known =
        selected.get(ref) ?? (mayBeSelected(ref, filters, refs) && isChosen(ref, await entries(ref), filters));
      selected.set(ref, known);
      return known;
    },
  };
}

export function isUnfiltered({ since, until, crew, ref }: Filters): boolean {
  return since === null && until === null && crew === null && ref === null;
}

function mayBeSelected(ref: string, filters: Filters, refs: ReadonlySet<string> | null): boolean {
  return (filters.ref === null || filters.ref === ref) && (refs === null || refs.has(ref));
}

function isChosen(ref: string, chain: readonly Entry[], { since, until, crew }: Filters): boolean {
  const isInTime = ({ at }: Entry) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY);
  const isOfCrew =
    crew === null || ref === crewChain(crew) || chain.some(({ facts }) => 'crew' in facts && facts.crew === crew);
  return isOfCrew && chain.some(isInTime);
}
