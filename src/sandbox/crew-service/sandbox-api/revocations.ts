import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** The user tokens that are no longer valid, kept in Redis by their hashes. */
export interface Revocations {
  revoke(token: string): Promise<void>;
  includes(token: string): Promise<boolean>;
}

export function createRevocations(redis: Redis, prefix: string): Revocations {
  const key = `${prefix}revoked-tokens`;
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  return {
    async revoke(token) {
      await redis.sadd(key, hashOf(token));
    },
    includes: async (token) => (await redis.sismember(key, hashOf(token))) === 1,
  };
}
