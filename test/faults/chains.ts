import { type Entry, hashOf, NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { recordKeys, shardOf, unsealedKey } from '../../src/redis/keys.ts';
import { readChain } from '../../src/redis/ledger/chain.ts';
import { readUnsealed } from '../../src/redis/ledger/entries.ts';
import { readRecord } from '../../src/redis/record.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';

/** What the ledger has of an execution. */
export interface Chain {
  ref: string;
  entries: readonly Entry[];
  /** The hash of the last entry, as the record has it. */
  head: string;
  /** The hashes of those entries that wait to be sealed, in their order. */
  unsealed: readonly string[];
}

/** Reads chains from Redis directly, whatever is between it and the bots. */
export function openChains(url: string) {
  const redis = connectRedis(url, { onTrouble: () => {} });
  return {
    read: (refs: readonly string[]): Promise<Chain[]> =>
      eventually(
        () => Promise.all(refs.map((ref) => readOne(redis, ref))).catch(unlessUnavailable),
        async () => 'nobody can tell what the ledger has',
      ),
    close: () => closeRedis(redis),
  };
}

async function readOne(redis: RedisClient, ref: string): Promise<Chain> {
  const [entries, record, unsealed] = await Promise.all([
    readChain(redis, ref),
    redis.hget(recordKeys(ref).record, 'record'),
    redis.lrange(unsealedKey(shardOf(ref)), 0, -1),
  ]);
  const own = unsealed.map(readUnsealed).filter((each) => each?.ref === ref);
  const head = record === null ? '' : readRecord(ref, record).ledger.hash;
  return { ref, entries, head, unsealed: own.map((each) => each?.hash ?? '') };
}

function unlessUnavailable(error: unknown): undefined {
  if (error instanceof StoreUnavailable || !(error instanceof TypeError)) return undefined;
  throw error;
}

/** Whether a chain is whole: every hash follows from what is before it, and the record and the sealer know it as it is. */
export function chainProblems({ ref, entries, head, unsealed }: Chain): string[] {
  const hashes = entries.map(({ hash }) => hash);
  // Refused attempts are entered beside the record.
  const known = entries.findLastIndex(({ hash, kind }) => hash === head || kind !== 'refused');
  const broken = entries.filter((entry, i) => {
    const prev = hashes[i - 1] ?? NO_ENTRIES.hash;
    return entry.seq !== i + 1 || entry.ref !== ref || entry.prev !== prev || entry.hash !== hashOf(entry);
  });
  const isTail = unsealed.length === 0 || unsealed.join() === hashes.slice(-unsealed.length).join();
  return [
    ...broken.map(({ seq }) => `entry ${seq} of the ledger doesn't follow from those before it`),
    ...(head === (hashes[known] ?? NO_ENTRIES.hash) ? [] : ['the record knows another end of its chain']),
    ...(isTail ? [] : ['what waits to be sealed is not the end of the chain']),
  ];
}
