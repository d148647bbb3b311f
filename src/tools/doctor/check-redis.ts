import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, type Redis } from 'ioredis';
import { groupBy } from '../../core/values/group-by.ts';
import { parseRedisUrl } from '../../redis/address.ts';
import type { RedisClient } from '../../redis/call.ts';
import { closeRedis, connectRedis, pingRedis } from '../../redis/connection.ts';
import { createOverview } from '../../redis/overview/overview.ts';
import { judgeClock } from './check-network.ts';
import { checkSentinels } from './check-sentinels.ts';
import { doubtful, type Finding, fine, mostSevere, unchecked, wrong } from './finding.ts';

const CONNECT_MS = 4_000;

/**
 * Checks that Redis answers and loses nothing, for every server of a Cluster. Only reads.
 * @param connectMs how long to try to connect
 * @param crews names of the configured crews, to find runs of others
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
    const sentinels = await checkSentinels(url);
    return [
      fine('Redis', `${where} at REDIS_URL.`),
      ...judge(all, replicationOf(url, minReplicas)),
      ...sentinels,
      ...runs,
    ];
  } finally {
    await closeRedis(redis);
  }
}

function replicationOf(url: string, minReplicas: number): Replication {
  const address = parseRedisUrl(url);
  const kind = address.ok ? address.value.kind : 'single';
  return { minReplicas, promotedBy: kind === 'sentinel' ? 'sentinels' : kind === 'cluster' ? 'cluster' : 'others' };
}

function judge(nodes: [RedisNode, ...RedisNode[]], replication: Replication): Finding[] {
  const judges = [
    judgeVersion,
    (node: RedisNode) => judgePersistence(node, replication.minReplicas),
    (node: RedisNode) => judgeReplicas(node, replication),
    judgeMinReplicasToWrite,
    judgeEviction,
    ({ aheadMs }: RedisNode) => judgeClock('Clock of Redis', aheadMs),
  ];
  const [first, ...others] = nodes;
  return judges.map((judgeOne) => mostSevere([judgeOne(first), ...others.map(judgeOne)]));
}

/** Keeps trying for some time, because a second try may succeed. */
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
  const observation =
    reason === undefined ? "doesn't answer at REDIS_URL." : `doesn't answer at REDIS_URL (${plain(reason)}).`;
  const advice = ['Check the address, the password, and that Redis is running.', ...requirementsOf(url)];
  return wrong('Redis', observation, advice.join(' '));
}

/** Returns hints for a Redis that runs, but is of another kind than the address says. */
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

/** The first version whose scripts may read the time and then write: https://redis.io/docs/latest/develop/programmability/eval-intro/#script-replication */
const OLDEST = [5, 0] as const;
/** The version that the bot is tested with. */
const TESTED = [7, 0] as const;
/** Used share of the memory from which a Redis with noeviction may soon refuse writes. */
const NEARLY_FULL = 0.8;

/** Hosted servers may hide parts of their report. */
const UNSAID = "not checked: this Redis doesn't say.";

export function judgeVersion({ info }: RedisNode): Finding {
  const about = 'Redis version';
  const version = info.get('redis_version');
  if (version === undefined) return unchecked(about, UNSAID);
  const name = info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${version}`;
  if (isOlder(version, OLDEST)) return wrong(about, `${name} is too old.`, 'Install Redis 7 or newer.');
  if (isOlder(version, TESTED))
    return doubtful(about, `${name} is old.`, 'Signoff is tested with Redis 7. Please upgrade.');
  return fine(about, `${name}.`);
}

/** Judges what a crash or a power failure of this Redis can lose. */
export function judgePersistence({ info, appendfsync, save }: RedisNode, minReplicas: number): Finding {
  const about = 'Redis persistence';
  const set = 'Set appendonly yes and appendfsync always.';
  if (!info.has('aof_enabled')) return unchecked(about, UNSAID);
  if (info.get('aof_enabled') !== '1') return withoutFile(about, { set, save, minReplicas });
  if ((info.get('aof_last_write_status') ?? 'ok') !== 'ok')
    return wrong(about, "Redis can't write its append-only file.", 'Check its log; the disk may be full.');
  switch (appendfsync) {
    case 'always':
      return fine(about, 'every change is on disk before it counts (appendfsync always).');
    case 'everysec':
      return doubtful(
        about,
        'a power failure can lose the clicks of the last second (appendfsync everysec).',
        'Set appendfsync always.',
      );
    case null:
      return doubtful(
        about,
        "there is an append-only file, but this Redis doesn't say how often it is synced to disk.",
        'Ask its provider for appendfsync always: with everysec a power failure can lose a second of clicks.',
      );
    default:
      return doubtful(about, 'a power failure can lose half a minute of clicks (appendfsync no).', set);
  }
}

function withoutFile(
  about: string,
  { set, save, minReplicas }: { set: string; save: string | null; minReplicas: number },
): Finding {
  const durability = save === null || save === '' ? 'nothing is written to disk' : 'only snapshots are written to disk';
  if (minReplicas > 0)
    return doubtful(about, `${durability} (appendonly no): only the replicas have what happened since.`, set);
  const lost = save === null || save === '' ? 'everything' : 'everything since the last snapshot';
  return wrong(
    about,
    `${durability} (appendonly no): a restart of Redis loses ${lost}, including acknowledged clicks.`,
    set,
  );
}

/** The number of replicas that must confirm a change, and who promotes one of them when their master is gone. */
export interface Replication {
  minReplicas: number;
  promotedBy: 'sentinels' | 'cluster' | 'others';
}

/** Judges what a failure of this server or of a replica can lose, and when nothing can be acknowledged. */
export function judgeReplicas({ info }: RedisNode, { minReplicas, promotedBy }: Replication): Finding {
  const about = 'Redis replicas';
  if (!info.has('role')) return unchecked(about, UNSAID);
  if (info.get('role') !== 'master')
    return wrong(
      about,
      'REDIS_URL leads to a replica, which is read-only.',
      'Use the address of the master, or of the Sentinels.',
    );
  const replicas = replicasOf(info);
  if (minReplicas > replicas)
    return wrong(
      about,
      `REDIS_MIN_REPLICAS is ${minReplicas}, but ${replicas} ${replicas === 1 ? 'is' : 'are'} connected: nothing can be acknowledged.`,
      'Connect more replicas, or lower REDIS_MIN_REPLICAS.',
    );
  if (replicas === 0) return fine(about, 'none: this server has the only copy, so back it up.');
  if (minReplicas === 0)
    return doubtful(
      about,
      `${replicas} connected, and nothing waits for them: a failover can lose clicks and webhooks that were acknowledged, forget runs, start a run twice and send a decision twice.`,
      'Set REDIS_MIN_REPLICAS=1.',
    );
  const waits = `${replicas} connected, and what is acknowledged waits for ${minReplicas} of them`;
  if (minReplicas < replicas && promotedBy === 'others')
    return doubtful(
      about,
      `${waits}: whoever promotes another one loses what it doesn't have.`,
      `Use Sentinels or a Cluster, or set REDIS_MIN_REPLICAS=${replicas}.`,
    );
  if (minReplicas < replicas) return fine(about, `${waits}, so one may be missing.`);
  const missing = `${waits}: while one is missing, clicks and webhooks are refused`;
  if (promotedBy === 'cluster')
    return fine(about, `${missing} for the shards of its master, also after a failover until the failed host is back.`);
  return doubtful(
    about,
    `${missing}, also after a failover until the failed host is back.`,
    replicas === 1 ? 'Connect a second replica.' : 'Set REDIS_MIN_REPLICAS=1.',
  );
}

function replicasOf(info: RedisNode['info']): number {
  return [...info].filter(([name, value]) => /^slave\d+$/.test(name) && value.includes('state=online')).length;
}

/** Judges whether Redis itself refuses writes with fewer replicas, and how soon it notices that they are gone. */
export function judgeMinReplicasToWrite({ info, minReplicasToWrite, minReplicasMaxLagS }: RedisNode): Finding {
  const about = 'Redis min-replicas-to-write';
  if (minReplicasToWrite === null) return unchecked(about, UNSAID);
  const replicas = replicasOf(info);
  if (minReplicasToWrite === 0)
    return fine(
      about,
      replicas === 0
        ? 'off.'
        : 'off: a master that is cut off goes on taking writes. Only REDIS_MIN_REPLICAS keeps them from being acknowledged.',
    );
  if (minReplicasToWrite >= Math.max(replicas, 1))
    return doubtful(
      about,
      `${minReplicasToWrite} of ${replicas} replicas: while one is missing, Redis refuses every write.`,
      'Set it lower than their number, or to 0 and REDIS_MIN_REPLICAS=1.',
    );
  return fine(
    about,
    `${minReplicasToWrite} of ${replicas} replicas: a master that is cut off refuses writes after ${minReplicasMaxLagS ?? 'some'} seconds.`,
  );
}

/** Judges what Redis drops when its memory is full. */
export function judgeEviction({ info }: RedisNode): Finding {
  const about = 'Redis eviction';
  const policy = info.get('maxmemory_policy');
  if (policy === undefined) return unchecked(about, UNSAID);
  const [limit, used] = [Number(info.get('maxmemory') ?? 0), Number(info.get('used_memory') ?? 0)];
  const set = 'Set maxmemory-policy noeviction.';
  if (policy === 'noeviction') {
    if (limit === 0 || used < NEARLY_FULL * limit) return fine(about, 'nothing is dropped (noeviction).');
    const percent = Math.round((used / limit) * 100);
    return doubtful(
      about,
      `the memory is ${percent}% full, and a full Redis can't store clicks.`,
      'Raise maxmemory, or lower RETENTION_DAYS.',
    );
  }
  if (limit === 0) return doubtful(about, `${policy}, which drops nothing while maxmemory isn't set.`, set);
  if (policy.startsWith('volatile-'))
    return doubtful(about, `${policy}: when the memory is full, runs that ended are dropped early.`, set);
  return wrong(about, `${policy}: when the memory is full, open approvals are dropped.`, set);
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ofMajor = 0, ofMinor = 0] = version.split('.').map(Number);
  return ofMajor < major || (ofMajor === major && ofMinor < minor);
}

/** The report of one Redis server about itself. */
export interface RedisNode {
  /** The fields of https://redis.io/docs/latest/commands/info/ */
  info: ReadonlyMap<string, string>;
  /** Setting for syncing the append-only file to disk; null if the server refuses CONFIG, as hosted ones do. */
  appendfsync: string | null;
  /** Times of snapshots, '' for never; null if the server refuses CONFIG. */
  save: string | null;
  /** Least replicas for a write, and the silence in seconds that excludes one; null if Redis refuses CONFIG. */
  minReplicasToWrite: number | null;
  minReplicasMaxLagS: number | null;
  /** Its clock minus ours, in milliseconds. */
  aheadMs: number;
}

async function readRedisNode(redis: Redis): Promise<RedisNode> {
  const [info, appendfsync, save, minReplicasToWrite, minReplicasMaxLagS, aheadMs] = await Promise.all([
    redis.info(),
    setting(redis, 'appendfsync'),
    setting(redis, 'save'),
    numberSetting(redis, 'min-replicas-to-write'),
    numberSetting(redis, 'min-replicas-max-lag'),
    clockAhead(redis),
  ]);
  return { info: parseInfo(info), appendfsync, save, minReplicasToWrite, minReplicasMaxLagS, aheadMs };
}

export function parseInfo(text: string): Map<string, string> {
  const fields = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon === -1 || line.startsWith('#') ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
  });
  return new Map(fields);
}

async function setting(redis: Redis, name: string): Promise<string | null> {
  try {
    const answer = await redis.config('GET', name);
    const value: unknown = Array.isArray(answer) ? answer[1] : null;
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

async function numberSetting(redis: Redis, name: string): Promise<number | null> {
  const value = await setting(redis, name);
  return value === null ? null : Number(value);
}

/** Estimates how far Redis' clock is ahead: it was read between request and response, most likely in the middle. */
async function clockAhead(redis: Redis): Promise<number> {
  const askedAt = Date.now();
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Number(micros) / 1000 - (askedAt + Date.now()) / 2;
}

/** Finds runs in progress whose crews aren't configured. They wait until those are. */
async function checkOpenRuns(redis: RedisClient, crews: readonly string[]): Promise<Finding[]> {
  const runs = await createOverview(redis).openRuns();
  const waiting = groupBy(runs, ({ crew }) => crew);
  for (const crew of crews) waiting.delete(crew);
  if (waiting.size === 0) return [];
  const counts = Array.from(waiting, ([crew, { length }]) => `${crew} (${length})`);
  const observation = `runs wait for crews that aren't configured: ${counts.join(', ')}.`;
  return [doubtful('Runs', observation, 'Nobody can decide them, and nothing is sent, until those crews are back.')];
}
