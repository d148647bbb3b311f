import type { Redis } from 'ioredis';

/** All that a bot keeps, as a backup has it. */
export type Backup = { key: string; value: Buffer; ttlMs: number }[];

export async function backUp(redis: Redis): Promise<Backup> {
  const entries = (await keysIn(redis)).map(async (key) => {
    const [value, ttlMs] = await Promise.all([redis.dumpBuffer(key), redis.pttl(key)]);
    return value === null ? [] : [{ key, value, ttlMs: Math.max(0, ttlMs) }];
  });
  return (await Promise.all(entries)).flat();
}

/** Puts a backup in the place of all that has been stored since, in one step. */
export async function restore(redis: Redis, backup: Backup): Promise<void> {
  const restoring = redis.multi().del(await keysIn(redis));
  for (const { key, value, ttlMs } of backup) restoring.restore(key, ttlMs, value);
  await restoring.exec();
}

async function keysIn(redis: Redis): Promise<string[]> {
  const keys = [];
  for await (const batch of redis.scanStream({ match: 'signoff:*' })) keys.push(...batch);
  return keys;
}
