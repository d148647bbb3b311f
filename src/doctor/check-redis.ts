import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { parseRedisUrl } from '../redis/connection/address.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../redis/connection/connect.ts';
import { judgeClock } from './check-clock.ts';
import { checkOpenRuns } from './check-open-runs.ts';
import { type Finding, fine, mostSevere, wrong } from './finding.ts';
import { judgeEviction, judgePersistence, judgeReplicas, judgeVersion } from './judge-redis.ts';
import { type RedisNode, readRedisNode } from './redis-node.ts';

const CONNECT_MS = 4_000;

/**
 * Checks that Redis answers and loses nothing, for every server of a Cluster. Only reads.
 * @param connectMs how long to try to connect
 * @param crews the names of those that are configured, to look for runs of others
 */
export async function checkRedis(
  { url, minReplicas }: { url: string; minReplicas: number },
  { connectMs = CONNECT_MS, crews }: { connectMs?: number; crews?: readonly string[] } = {},
): Promise<Finding[]> {
  const reasons: string[] = [];
  const redis = connectRedis(url, { onTrouble: (reason) => reasons.push(reason) });
  try {
    if (!(await answers(redis, connectMs))) return [unreachable(url, reasons.at(-1))];
    const [first, ...others] = await Promise.all(serversOf(redis).map(readRedisNode));
    if (!first) return [unreachable(url, undefined)];
    const all: [RedisNode, ...RedisNode[]] = [first, ...others];
    const where = all.length === 1 ? 'answers' : `${all.length} servers of the Cluster answer`;
    const runs = crews ? await checkOpenRuns(redis, crews) : [];
    return [fine('Redis', `${where} at REDIS_URL.`), ...judge(all, minReplicas), ...runs];
  } finally {
    await closeRedis(redis);
  }
}

function judge(nodes: [RedisNode, ...RedisNode[]], minReplicas: number): Finding[] {
  const judges = [
    judgeVersion,
    (node: RedisNode) => judgePersistence(node, minReplicas),
    (node: RedisNode) => judgeReplicas(node, minReplicas),
    judgeEviction,
    ({ aheadMs }: RedisNode) => judgeClock('Clock of Redis', aheadMs),
  ];
  const [first, ...others] = nodes;
  return judges.map((judgeOne) => mostSevere([judgeOne(first), ...others.map(judgeOne)]));
}

/** Keeps trying for some time, since the first try may fail where the next one succeeds. */
async function answers(redis: RedisClient, connectMs: number): Promise<boolean> {
  const deadline = performance.now() + connectMs;
  while (performance.now() < deadline) {
    try {
      await pingRedis(redis);
      return true;
    } catch {
      await pause(100);
    }
  }
  return false;
}

function serversOf(redis: RedisClient) {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

function unreachable(url: string, reason: string | undefined): Finding {
  const found =
    reason === undefined ? "doesn't answer at REDIS_URL." : `doesn't answer at REDIS_URL (${plain(reason)}).`;
  const advice = ['Check the address, the password, and that Redis is running.', ...requirementsOf(url)];
  return wrong('Redis', found, advice.join(' '));
}

/** What an address requires, in case Redis runs but is of another kind. */
function requirementsOf(url: string): string[] {
  const address = parseRedisUrl(url);
  if (!address.ok || address.value.kind === 'socket') return [];
  const { kind, encryption } = address.value;
  return [
    ...(kind === 'cluster' ? ['Several addresses separated by commas must be nodes of one Redis Cluster.'] : []),
    ...(kind === 'sentinel' ? ['redis+sentinel:// needs the addresses of Sentinels, and the name of the master.'] : []),
    ...(encryption === 'tls' ? ['rediss:// needs a Redis with TLS.'] : []),
  ];
}

/** ioredis says more about itself than about the Sentinels. */
function plain(reason: string): string {
  return reason
    .replace(/^All sentinels are unreachable.*Last error: /, 'no Sentinel answers: ')
    .slice(0, 200)
    .trim();
}
