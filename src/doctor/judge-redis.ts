import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';
import type { RedisNode } from './redis-node.ts';

/** The first version whose scripts may read the time and then write: https://redis.io/docs/latest/develop/programmability/eval-intro/#script-replication */
const OLDEST = [5, 0] as const;
/** The version that the bot is tested with. */
const TESTED = [7, 0] as const;
/** Of its memory: a Redis with noeviction soon refuses all writes. */
const NEARLY_FULL = 0.8;

/** Hosted ones may hide parts of what they report. */
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

/** What can be lost by a crash or a power failure of this Redis. */
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
  const kept = save === null || save === '' ? 'nothing is written to disk' : 'only snapshots are written to disk';
  if (minReplicas > 0)
    return doubtful(about, `${kept} (appendonly no): only the replicas have what happened since.`, set);
  const lost = save === null || save === '' ? 'everything' : 'everything since the last snapshot';
  return wrong(about, `${kept} (appendonly no): a restart of Redis loses ${lost}, including acknowledged clicks.`, set);
}

/** What can be lost with this server, and whether there are as many replicas as the bot requires. */
export function judgeReplicas({ info }: RedisNode, minReplicas: number): Finding {
  const about = 'Redis replicas';
  if (!info.has('role')) return unchecked(about, UNSAID);
  if (info.get('role') !== 'master')
    return wrong(
      about,
      'REDIS_URL leads to a replica, which is read-only.',
      'Use the address of the master, or of the Sentinels.',
    );
  const replicas = [...info].filter(
    ([name, value]) => /^slave\d+$/.test(name) && value.includes('state=online'),
  ).length;
  if (minReplicas > replicas)
    return wrong(
      about,
      `REDIS_MIN_REPLICAS is ${minReplicas}, but ${replicas} ${replicas === 1 ? 'is' : 'are'} connected: every decision fails.`,
      'Connect more replicas, or lower REDIS_MIN_REPLICAS.',
    );
  if (replicas === 0) return fine(about, 'none: this server has the only copy, so back it up.');
  const waits = minReplicas === 0 ? 'nothing waits for them' : `a decision waits for ${minReplicas} of them`;
  // A failover may promote a replica that wasn't waited for.
  if (minReplicas === replicas) return fine(about, `${replicas} connected, and ${waits}.`);
  return doubtful(
    about,
    `${replicas} connected, and ${waits}: a failover can lose the last clicks.`,
    `Set REDIS_MIN_REPLICAS=${replicas}; while one is missing, clicks fail and Slack says so.`,
  );
}

/** What Redis drops when its memory is full. */
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
