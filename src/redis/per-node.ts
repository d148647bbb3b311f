import { Cluster, Command, type Redis } from 'ioredis';
import { StoreUnavailable } from '../core/ports.ts';
import { groupBy } from '../core/values/group-by.ts';
import {
  answerDeadline,
  type Deadline,
  type RedisClient,
  runScript,
  type Script,
  StoreRefused,
  type Tries,
} from './call.ts';
import { SHARDS, type Shard } from './keys.ts';

/** Time to connect to a node without a connection and to run the script there. */
const RECONNECT_MS = 500;

interface ShardCall {
  /** Returns the keys of one shard, the same number for each. */
  keysOf: (shard: Shard) => string[];
  args?: (string | number)[];
  tries?: Tries;
}

/**
 * Runs a script once for all shards on one server: once in all, unless Redis is a Cluster. In a Cluster, the script declares only
 * its first key and gets the others after its arguments. Redis lets it reach them while they lie on the same node; otherwise it
 * runs once for each shard. @throws {StoreUnavailable} if any shard can't be reached
 */
export async function runPerNode<Reply>(redis: RedisClient, script: Script<Reply>, call: ShardCall): Promise<Reply[]> {
  const replies = await callPerNode(redis, script, { ...call, untilOf: answerDeadline });
  return replies.map((reply) => {
    if (reply instanceof StoreUnavailable) throw reply;
    return reply;
  });
}

/** Works like `runPerNode`, with an error in place of the reply of an unreachable node, without a long wait for it. */
export function tryPerNode<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  call: ShardCall,
): Promise<(Reply | StoreUnavailable)[]> {
  const untilOf = (node: string | null) => {
    return isConnected(redis, node) ? answerDeadline() : performance.now() + RECONNECT_MS;
  };
  return callPerNode(redis, script, { ...call, untilOf });
}

async function callPerNode<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  { untilOf, ...call }: ShardCall & { untilOf: (node: string | null) => Deadline },
): Promise<(Reply | StoreUnavailable)[]> {
  const runGroup = async (shards: Shard[], until: Deadline): Promise<(Reply | StoreUnavailable)[]> => {
    try {
      return [await runFor(redis, script, { ...call, until }, shards)];
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const isSplit = redis instanceof Cluster && error instanceof StoreRefused && shards.length > 1;
      return isSplit ? runEach(shards, answerDeadline()) : [error];
    }
  };
  const runEach = async (shards: Shard[], until: Deadline) =>
    (await Promise.all(shards.map((shard) => runGroup([shard], until)))).flat();
  const replies = groupByNode(redis).map(({ node, shards }) => {
    return node === null ? runEach(shards, untilOf(node)) : runGroup(shards, untilOf(node));
  });
  return (await Promise.all(replies)).flat();
}

function isConnected(redis: RedisClient, node: string | null): boolean {
  return !(redis instanceof Cluster) || connectionTo(redis, node) !== undefined;
}

/** Returns the connection to the node of a group; undefined while there is none with this status. */
export function connectionTo(
  redis: RedisClient,
  node: string | null,
  status: 'ready' | 'connect' = 'ready',
): Redis | undefined {
  const connections = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return connections.find((each) => each.status === status && (node === '' || node === nodeOf(each)));
}

/** Returns the name of the node to which a connection leads, as groups have it. */
export function nodeOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`;
}

/** Lua: sets `shardKeys` to the keys of all shards, for a script with `args` arguments of its own. */
export function shardKeys(args: number): string {
  return `
  local shardKeys = {unpack(KEYS)}
  for i = ${args + 1}, #ARGV do shardKeys[#shardKeys + 1] = ARGV[i] end`;
}

function runFor<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  { keysOf, args = [], tries = 'until-answered', until }: ShardCall & { until: Deadline },
  shards: Shard[],
): Promise<Reply> {
  const keys = shards.flatMap(keysOf);
  // While a slot moves, a Cluster refuses commands with several of its keys, unless all are on one side: TRYAGAIN.
  const declared = redis instanceof Cluster ? 1 : keys.length;
  return runScript(redis, script, {
    keys: keys.slice(0, declared),
    args: [...args, ...keys.slice(declared)],
    until,
    tries,
  });
}

/** Shards whose slots lie on one node at the moment. */
export interface ShardGroup {
  /** `host:port`; empty unless Redis is a Cluster; null if no known node serves them. */
  node: string | null;
  shards: Shard[];
}

/** Returns all shards by node, from a random start, so that no shard is always first. */
export function groupByNode(redis: RedisClient): ShardGroup[] {
  const start = Math.floor(Math.random() * SHARDS.length);
  const rotated = [...SHARDS.slice(start), ...SHARDS.slice(0, start)];
  const slotOf = (shard: Shard) => new Command('get', [`{${shard}}`]).getSlot();
  const nodeOfShard = (shard: Shard) => (redis instanceof Cluster ? (redis.slots[slotOf(shard)]?.[0] ?? null) : '');
  return Array.from(groupBy(rotated, nodeOfShard), ([node, shards]) => ({ node, shards }));
}
