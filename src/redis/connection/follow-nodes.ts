import type { Cluster, Redis } from 'ioredis';
import { reasonOf } from './call.ts';
import { nodeOf } from './per-node.ts';

export interface NodeListener {
  /** Once, until the node is back. */
  onAway(node: string, reason: string): void;
  onBack(node: string): void;
}

/** Follows the connections to the nodes of a Cluster. Its client says nothing of a node that is away while others answer. */
export function followNodes(cluster: Cluster, { onAway, onBack }: NodeListener): void {
  const away = new Set<string>();
  // Each attempt to reach a node again is a new connection.
  cluster.on('+node', (connection: Redis) => {
    const node = nodeOf(connection);
    let reason = 'the connection was closed';
    connection.on('error', (error: unknown) => {
      reason = reasonOf(error);
    });
    connection.on('close', () => {
      // The client has forgotten a node that it left by itself.
      const isLost = cluster.status === 'ready' && cluster.nodes().includes(connection);
      if (away.has(node) || !isLost) return;
      away.add(node);
      onAway(node, reason);
    });
    connection.on('ready', () => {
      if (away.delete(node)) onBack(node);
    });
  });
}
