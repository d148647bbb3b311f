import { Cluster, Command } from 'ioredis';
import { StoreUnavailable } from '../../core/ports.ts';
import { SHARDS, type Shard } from '../keys.ts';
import { answerDeadline, type RedisClient, runScript, StoreRefused, type Tries } from './call.ts';
import type { Script } from './script.ts';

interface ShardCall {
  /** The keys of one shard, as many for each. */
  keysOf: (shard: Shard) => string[];
  args?: (string | number)[];
  tries?: Tries;
}

/**
 * Runs a script once for all shards that lie on one server: once in all, unless Redis is a Cluster. There, the script declares
 * only the keys of its first shard and gets the others after its arguments; Redis lets it reach them while they lie on the
 * same node, and otherwise it runs once for each shard.
 * @throws {StoreUnavailable} if any shard can't be reached
 */
export async function runPerNode<Reply>(redis: RedisClient, script: Script<Reply>, call: ShardCall): Promise<Reply[]> {
  const replies = await tryPerNode(redis, script, call);
  return replies.map((reply) => {
    if (reply instanceof StoreUnavailable) throw reply;
    return reply;
  });
}

/** The same, with an error instead of a reply for a node that can't be reached. */
export async function tryPerNode<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  call: ShardCall,
): Promise<(Reply | StoreUnavailable)[]> {
  const runAll = async (groups: Shard[][]) => (await Promise.all(groups.map(runGroup))).flat();
  const runGroup = async (shards: Shard[]): Promise<(Reply | StoreUnavailable)[]> => {
    try {
      return [await runFor(redis, script, call, shards)];
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const isSplit = error instanceof StoreRefused && shards.length > 1;
      return isSplit ? runAll(shards.map((shard) => [shard])) : [error];
    }
  };
  return runAll(groupByNode(redis));
}

/** Lua: the keys of all shards, in `shardKeys`, for a script with `args` arguments of its own. */
export function shardKeys(args: number): string {
  return `
  local shardKeys = {unpack(KEYS)}
  for i = ${args + 1}, #ARGV do shardKeys[#shardKeys + 1] = ARGV[i] end`;
}

function runFor<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  { keysOf, args = [], tries = 'until-answered' }: ShardCall,
  [first, ...others]: Shard[],
): Promise<Reply> {
  const [keys, reached] = [first === undefined ? [] : keysOf(first), others.flatMap(keysOf)];
  const isCluster = redis instanceof Cluster;
  return runScript(redis, script, {
    keys: isCluster ? keys : [...keys, ...reached],
    args: isCluster ? [...args, ...reached] : args,
    until: answerDeadline(),
    tries,
  });
}

/** The shards by the node that their slot lies on at the moment, each group from a random start, so that none is always first. */
function groupByNode(redis: RedisClient): Shard[][] {
  const groups = new Map<string, Shard[]>();
  for (const shard of rotated(SHARDS)) {
    const node = redis instanceof Cluster ? (redis.slots[slotOf(shard)]?.[0] ?? shard) : '';
    groups.set(node, [...(groups.get(node) ?? []), shard]);
  }
  return [...groups.values()];
}

function slotOf(shard: Shard): number {
  return new Command('get', [`{${shard}}`]).getSlot();
}

function rotated(shards: readonly Shard[]): Shard[] {
  const start = Math.floor(Math.random() * shards.length);
  return [...shards.slice(start), ...shards.slice(0, start)];
}
