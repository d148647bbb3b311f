import type { TestRedis } from './redis.ts';
import { clientOf, idOf, onNode, type TestCluster, untilSaid } from './redis-cluster.ts';

/**
 * The replica of a master takes its place. Resolves when it has, to the old master.
 * @param why `planned`: an operator asks the replica, and nothing is lost; `killed`: the master is gone without warning
 */
export async function failOver(
  { nodes, replicas }: TestCluster,
  index: number,
  why: 'planned' | 'killed',
): Promise<TestRedis> {
  const pair = [nodes[index], replicas[index]].filter((node) => node !== undefined);
  const roles = await Promise.all(pair.map(roleOf));
  const [master, replica] = [pair[roles.indexOf('master')], pair[roles.indexOf('slave')]];
  if (!master || !replica) throw new Error(`the Cluster has no master ${index} with a replica`);
  const client = clientOf(replica);
  try {
    if (why === 'killed') await master.kill();
    else await client.call('CLUSTER', 'FAILOVER');
    await untilSaid(client, ['ROLE'], (answer) => Array.isArray(answer) && answer[0] === 'master');
    await untilSaid(client, ['CLUSTER', 'INFO'], (answer) => String(answer).includes('cluster_state:ok'));
    return master;
  } finally {
    client.disconnect();
  }
}

async function roleOf(node: TestRedis): Promise<string> {
  const [role] = [await onNode(node, (client) => client.call('ROLE'))].flat();
  return String(role);
}

const MOVE_MS = '5000';

/**
 * Moves slots and all that lies in them from one master to another, as `redis-cli --cluster reshard` does, but key by key.
 * @param onHalfMoved awaited for each slot when every other key of it has moved
 * @see https://redis.io/docs/latest/commands/cluster-setslot/#redis-cluster-live-resharding-explained
 */
export async function reshard({ slots, from, to, onHalfMoved }: Resharding): Promise<void> {
  const [source, target] = [clientOf(from), clientOf(to)];
  const [sourceId, targetId] = [await idOf(from), await idOf(to)];
  try {
    for (const slot of slots.map(String)) {
      await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
      await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
      const half = Math.floor(Number(await source.call('CLUSTER', 'COUNTKEYSINSLOT', slot)) / 2);
      for (let moved = 0; ; moved++) {
        const [key] = [await source.call('CLUSTER', 'GETKEYSINSLOT', slot, '1')].flat();
        if (key === undefined) break;
        if (moved === half) await onHalfMoved();
        await source.call('MIGRATE', '127.0.0.1', String(to.port), '', '0', MOVE_MS, 'KEYS', String(key));
      }
      // The new owner first: otherwise, nobody would have the slot for a moment.
      for (const client of [target, source]) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
    }
  } finally {
    for (const client of [source, target]) client.disconnect();
  }
}

interface Resharding {
  slots: readonly number[];
  from: TestRedis;
  to: TestRedis;
  onHalfMoved: () => Promise<void>;
}
