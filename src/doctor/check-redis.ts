import { setTimeout as pause } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { parseRedisUrl } from '../redis/connection/address.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../redis/connection/connect.ts';
import { judgeClock } from './check-clock.ts';
import { type Finding, fine, gravest, wrong } from './finding.ts';
import { judgeEviction, judgePersistence, judgeReplicas, judgeVersion } from './judge-redis.ts';
import { type RedisNode, readRedisNode } from './redis-node.ts';

const PATIENCE_MS = 4_000;

/**
 * Whether Redis is there and keeps what it is told, by every server of a Cluster. Reads only.
 * @param patienceMs how long a connection is tried for
 */
export async function checkRedis(
  { url, minReplicas }: { url: string; minReplicas: number },
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Finding[]> {
  const troubles: string[] = [];
  const redis = connectRedis(url, { onTrouble: (reason) => troubles.push(reason) });
  try {
    if (!(await answers(redis, patienceMs))) return [unreachable(url, troubles.at(-1))];
    const [first, ...others] = await Promise.all(serversOf(redis).map(readRedisNode));
    if (!first) return [unreachable(url, undefined)];
    const all: [RedisNode, ...RedisNode[]] = [first, ...others];
    const where = all.length === 1 ? 'answers' : `${all.length} servers of the Cluster answer`;
    return [fine('Redis', `${where} at REDIS_URL.`), ...judge(all, minReplicas)];
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
  return judges.map((judgeOne) => gravest([judgeOne(first), ...others.map(judgeOne)]));
}

/** A connection is tried for some time, since the first try may fail where the next one does not. */
async function answers(redis: RedisClient, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
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
    reason === undefined ? 'does not answer at REDIS_URL.' : `does not answer at REDIS_URL (${plain(reason)}).`;
  const advice = ['Check the address, the password, and that Redis is running.', ...wordsOn(url)];
  return wrong('Redis', found, advice.join(' '));
}

/** What an address asks for that a Redis, which is there, may not be. */
function wordsOn(url: string): string[] {
  const address = parseRedisUrl(url);
  if (!address.ok || address.value.kind === 'socket') return [];
  const { kind, encryption } = address.value;
  return [
    ...(kind === 'cluster' ? ['Several addresses with commas between are those of one Redis Cluster.'] : []),
    ...(kind === 'sentinel' ? ['redis+sentinel:// has the addresses of Sentinels, and the name that they know.'] : []),
    ...(encryption === 'tls' ? ['rediss:// is for a Redis that speaks TLS.'] : []),
  ];
}

/** What ioredis tells of Sentinels is mostly about itself. */
function plain(reason: string): string {
  return reason
    .replace(/^All sentinels are unreachable.*Last error: /, 'no Sentinel answers: ')
    .slice(0, 200)
    .trim();
}
