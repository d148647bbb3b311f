import type { Logger } from 'pino';
import { z } from 'zod';
import type { UserTokens } from '../core/ports.ts';
import { openText, sealText } from '../encryption/sealed-text.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { userTokensKey } from './keys.ts';

const REPLACE = defineScript(
  'replace-user-token',
  z.number(),
  `
  -- KEYS: tokens of a person. ARGV: crew, stored value, new value.
  -- A token that was replaced or removed meanwhile must not come back.
  if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  return 1`,
);

/**
 * Stores people's tokens encrypted, in one hash for each person. They don't expire.
 * @param keys 32 bytes each, newest first: the newest encrypts; a token that an older key opens is encrypted again
 */
export function createUserTokens(
  redis: RedisClient,
  { keys, log }: { keys: readonly [Buffer, ...Buffer[]]; log: Logger },
): UserTokens {
  const [newest] = keys;
  const ask = <Answer>(question: () => Promise<Answer>) => insist(redis, answerDeadline(), question);

  async function encryptAnew(crew: string, personId: string, { stored, token }: { stored: Buffer; token: string }) {
    const args = [crew, stored, sealText(newest, token, ownerOf(crew, personId))];
    try {
      await runScript(redis, REPLACE, { keys: [userTokensKey(personId)], args });
    } catch (error) {
      // The caller gets the token anyway; the next look-up tries again.
      log.warn({ crew, personId, err: error }, 'could not encrypt a token with the newest secret');
    }
  }

  return {
    async find(crew, personId) {
      const stored = await ask(() => redis.hgetBuffer(userTokensKey(personId), crew));
      if (stored === null) return null;
      for (const key of keys) {
        const token = openText(key, stored, ownerOf(crew, personId));
        if (token === null) continue;
        if (key !== newest) await encryptAnew(crew, personId, { stored, token });
        return token;
      }
      log.warn({ crew, personId }, 'no secret opens the token that a person has connected: it counts as absent');
      return null;
    },
    async put(crew, personId, token) {
      const value = sealText(newest, token, ownerOf(crew, personId));
      await ask(() => redis.hset(userTokensKey(personId), crew, value));
    },
    async remove(crew, personId) {
      return (await ask(() => redis.hdel(userTokensKey(personId), crew))) > 0 ? 'removed' : 'absent';
    },
  };
}

function ownerOf(crew: string, personId: string): string {
  return JSON.stringify([crew, personId]);
}
