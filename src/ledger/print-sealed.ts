import type { Logger } from 'pino';
import type { Entry } from '../core/ledger/entry.ts';
import { TILE } from '../core/ledger/merkle-tree.ts';
import type { RedisClient } from '../redis/call.ts';
import { readChain } from '../redis/ledger/chain.ts';
import { movePrinted, readPrinted } from '../redis/ledger/printed.ts';
import { placesOf, readPlaces } from '../redis/ledger/tree.ts';

/**
 * Prints what is sealed and hasn't been printed yet: `{"entry":{…},"msg":"ledger entry"}` for each entry, in the order in which
 * they were sealed, and then their checkpoint. What a process that dies has printed last is printed again; nothing is left out.
 * @throws {StoreUnavailable} @throws {UnreadableEntry} the rest is printed the next time
 */
export async function printSealed(redis: RedisClient, log: Logger): Promise<void> {
  // A collector wants them all, whatever else is logged.
  const audit = log.child({}, { level: 'info' });
  const { printed, size, checkpoint } = await readPrinted(redis);
  for (let from = printed; from < size; ) {
    const to = Math.min(size, from - (from % TILE) + TILE);
    for (const entry of await sealedEntries(redis, from, to)) audit.info({ entry }, 'ledger entry');
    if (to === size) audit.info({ checkpoint }, 'ledger checkpoint');
    // Another process prints, too.
    if (!(await movePrinted(redis, { from, to }))) return;
    from = to;
  }
}

/** What is still there of the entries at these places of one tile. */
async function sealedEntries(redis: RedisClient, from: number, to: number): Promise<Entry[]> {
  const tile = Math.floor(from / TILE);
  const stored = await readPlaces(redis, tile);
  const places = stored === null ? [] : placesOf(stored.places).slice(from - tile * TILE, to - tile * TILE);
  const chains = new Map<string, Entry[]>();
  for (const { ref } of places) if (!chains.has(ref)) chains.set(ref, await readChain(redis, ref));
  return places.flatMap(({ ref, seq }) => chains.get(ref)?.[seq - 1] ?? []);
}
