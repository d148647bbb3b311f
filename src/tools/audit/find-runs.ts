import { inParallel } from '../../core/values/in-parallel.ts';
import { answerDeadline, type Deadline, insist, pairsIn, type RedisClient } from '../../redis/call.ts';
import { createChannelMoves } from '../../redis/channel-moves.ts';
import { runNamesKey, SHARDS, type Shard, shardOf } from '../../redis/keys.ts';
import { type RunNames, readRunNames } from '../../redis/run-names.ts';

// Finds a run by its thread or by an id of the crew's service, and the thread of a run.

/** A thread by its first message; or a ref, or an id of the crew's service. */
export type RunName = { kind: 'thread'; channel: string; ts: string } | { kind: 'id'; id: string };

/** Returns the refs of runs with this name. Two services may give the same id. @throws {StoreUnavailable} */
export async function findRuns(redis: RedisClient, name: RunName): Promise<string[]> {
  const until = answerDeadline();
  const runs: RunNames[] = [];
  const pattern = patternOf(name.kind === 'thread' ? name.ts : name.id);
  await inParallel(SHARDS_AT_ONCE, SHARDS, async (shard) => {
    for await (const names of scan(redis, { shard, pattern, until })) runs.push(...names);
  });
  if (name.kind === 'id') {
    const { id } = name;
    return runs.filter(({ ref, kickoffIds }) => ref === id || kickoffIds.includes(id)).map(({ ref }) => ref);
  }
  const { latest } = createChannelMoves(redis);
  const channel = await latest(name.channel);
  const refs: string[] = [];
  for (const { ref, thread } of runs)
    if (thread?.ts === name.ts && (await latest(thread.channel)) === channel) refs.push(ref);
  return refs;
}

const SHARDS_AT_ONCE = 8;
const SCANNED_AT_ONCE = 1_000;

function patternOf(part: string): string {
  return `*${JSON.stringify(part).replace(/[\\*?[\]^-]/g, '\\$&')}*`;
}

/** Returns the known threads of runs by ref. @throws {StoreUnavailable} */
export async function findThreads(redis: RedisClient, refs: ReadonlySet<string>): Promise<Map<string, Thread>> {
  const threads = new Map<string, Thread>();
  const shards = [...new Set([...refs].map(shardOf))];
  await inParallel(SHARDS_AT_ONCE, shards, async (shard) => {
    for await (const names of scan(redis, { shard, pattern: '*', until: answerDeadline() }))
      for (const { ref, thread } of names) if (thread !== null && refs.has(ref)) threads.set(ref, thread);
  });
  const { latest } = createChannelMoves(redis);
  const channels = new Map<string, string>();
  for (const { channel } of threads.values()) if (!channels.has(channel)) channels.set(channel, await latest(channel));
  return new Map(
    [...threads].map(([ref, { channel, ts }]) => [ref, { channel: channels.get(channel) ?? channel, ts }]),
  );
}

export type Thread = NonNullable<RunNames['thread']>;

/** Yields the names of the runs of a shard, some at a time. */
async function* scan(
  redis: RedisClient,
  { shard, pattern, until }: { shard: Shard; pattern: string; until: Deadline },
): AsyncGenerator<RunNames[]> {
  let cursor = '0';
  do {
    const [next, members] = await insist(redis, until, () =>
      redis.zscan(runNamesKey(shard), cursor, 'MATCH', pattern, 'COUNT', SCANNED_AT_ONCE),
    );
    yield pairsIn(members).flatMap(([member]) => readRunNames(member) ?? []);
    cursor = next;
  } while (cursor !== '0');
}
