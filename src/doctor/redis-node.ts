import type { Redis } from 'ioredis';

/** What one Redis server reports about itself. */
export interface RedisNode {
  /** The fields of https://redis.io/docs/latest/commands/info/ */
  info: ReadonlyMap<string, string>;
  /** How often the append-only file is synced to disk; null if the server refuses CONFIG, as hosted ones do. */
  appendfsync: string | null;
  /** When snapshots are written, '' for never; null as above. */
  save: string | null;
  /** Its clock minus ours, in milliseconds. */
  aheadMs: number;
}

export async function readRedisNode(redis: Redis): Promise<RedisNode> {
  const [info, appendfsync, save, aheadMs] = await Promise.all([
    redis.info(),
    setting(redis, 'appendfsync'),
    setting(redis, 'save'),
    clockAhead(redis),
  ]);
  return { info: parseInfo(info), appendfsync, save, aheadMs };
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

/** The answer was made at some point between request and response: the middle is the best estimate. */
async function clockAhead(redis: Redis): Promise<number> {
  const asked = Date.now();
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Number(micros) / 1000 - (asked + Date.now()) / 2;
}
