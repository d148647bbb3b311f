import { readFileSync } from 'node:fs';
import type { Topology } from './redis-hosts.ts';

/** What the docs say of one kind of Redis. */
export interface Documented {
  topology: Topology;
  minReplicas: number;
  /** Whether a failover may lose something; else everything that was acknowledged lasts. */
  mayLose: boolean;
}

/** Reads the table of topologies, in which each cell begins with what is lost. */
export function readDocumented(): Documented[] {
  const text = readFileSync(new URL('../../docs/failures/redis.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (Sentinel|Cluster), [^|]*\| (\d) \|(.*)\|$/gm)];
  return rows.map(([, topology, minReplicas, cells = '']) => {
    const said = cells.split('|').map((cell) => cell.trim());
    const unclear = said.find((cell) => !/^(nothing is lost|\*\*lost:\*\*)/.test(cell));
    if (unclear !== undefined) throw new Error(`docs/failures/redis.md doesn't say what is lost: ${unclear}`);
    return {
      topology: topology === 'Sentinel' ? 'Sentinel' : 'Cluster',
      minReplicas: Number(minReplicas),
      mayLose: said.some((cell) => cell.startsWith('**lost')),
    };
  });
}
