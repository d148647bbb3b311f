import { inParallel } from '../../core/values/in-parallel.ts';
import { answerDeadline, type Deadline, insist, pairsIn, type RedisClient } from '../../redis/call.ts';
import { createChannelMoves } from '../../redis/channel-moves.ts';
import { runNamesKey, SHARDS, type Shard } from '../../redis/keys.ts';
import { type RunNames, readRunNames } from '../../redis/run-names.ts';

// Finds a run by what else than its ref people know of it.

/** A thread by its first message; or a ref, or an id of the crew's service. */
export type RunName = { kind: 'thread'; channel: string; ts: string } | { kind: 'id'; id: string };

/** The refs of the runs that are known by a name. Two services may give the same id. @throws {StoreUnavailable} */
export async function findRuns(redis: RedisClient, name: RunName): Promise<string[]> {
  const until = answerDeadline();
  const found: RunNames[] = [];
  await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
    found.push(...(await scan(redis, { shard, part: name.kind === 'thread' ? name.ts : name.id, until })));
  });
  if (name.kind === 'id') {
    const { id } = name;
    return found.filter(({ ref, kickoffIds }) => ref === id || kickoffIds.includes(id)).map(({ ref }) => ref);
  }
  const { latest } = createChannelMoves(redis);
  const channel = await latest(name.channel);
  const refs: string[] = [];
  for (const { ref, thread } of found)
    if (thread?.ts === name.ts && (await latest(thread.channel)) === channel) refs.push(ref);
  return refs;
}

const SHARDS_AT_ONCE = 8;
const SCANNED_AT_ONCE = 1_000;

async function scan(redis: RedisClient, { shard, part, until }: { shard: Shard; part: string; until: Deadline }) {
  const pattern = `*${JSON.stringify(part).replace(/[\\*?[\]^-]/g, '\\$&')}*`;
  const found: RunNames[] = [];
  let cursor = '0';
  do {
    const [next, members] = await insist(redis, until, () =>
      redis.zscan(runNamesKey(shard), cursor, 'MATCH', pattern, 'COUNT', SCANNED_AT_ONCE),
    );
    found.push(...pairsIn(members).flatMap(([member]) => readRunNames(member) ?? []));
    cursor = next;
  } while (cursor !== '0');
  return found;
}
