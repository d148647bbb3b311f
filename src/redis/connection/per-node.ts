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
      const isSplit = redis instanceof Cluster && error instanceof StoreRefused && shards.length > 1;
      return isSplit ? runAll(single(shards)) : [error];
    }
  };
  return runAll(groupByNode(redis).flatMap(({ node, shards }) => (node === null ? single(shards) : [shards])));
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

/** Shards whose slots lie on one node at the moment. */
export interface ShardGroup {
  /** As `host:port`, empty unless Redis is a Cluster; null where no node is known to serve them. */
  node: string | null;
  shards: Shard[];
}

/** All shards, each group from a random start, so that none is always first. */
export function groupByNode(redis: RedisClient): ShardGroup[] {
  const groups = new Map<string | null, Shard[]>();
  for (const shard of rotated(SHARDS)) {
    const node = redis instanceof Cluster ? (redis.slots[slotOf(shard)]?.[0] ?? null) : '';
    groups.set(node, [...(groups.get(node) ?? []), shard]);
  }
  return [...groups].map(([node, shards]) => ({ node, shards }));
}

const single = (shards: Shard[]) => shards.map((shard) => [shard]);

function slotOf(shard: Shard): number {
  return new Command('get', [`{${shard}}`]).getSlot();
}

function rotated(shards: readonly Shard[]): Shard[] {
  const start = Math.floor(Math.random() * shards.length);
  return [...shards.slice(start), ...shards.slice(0, start)];
}
