import { groupBy } from '../core/group-by.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { createOverview } from '../redis/overview/overview.ts';
import { doubtful, type Finding } from './finding.ts';

/** Looks for runs in progress whose crews aren't configured: they wait until those are. */
export async function checkOpenRuns(redis: RedisClient, crews: readonly string[]): Promise<Finding[]> {
  const runs = await createOverview(redis).openRuns();
  const waiting = groupBy(runs, ({ crew }) => crew);
  for (const crew of crews) waiting.delete(crew);
  if (waiting.size === 0) return [];
  const counts = Array.from(waiting, ([crew, { length }]) => `${crew} (${length})`);
  const found = `runs wait for crews that aren't configured: ${counts.join(', ')}.`;
  return [doubtful('Runs', found, 'Nobody can decide them, and nothing is sent, until those crews are back.')];
}
