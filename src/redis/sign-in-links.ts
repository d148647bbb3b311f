import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { LinkedApproval, SignInLinks } from '../core/ports.ts';
import { answerDeadline, insist, type RedisClient } from './call.ts';
import { signInLinkKey } from './keys.ts';
import type { Replication } from './replication.ts';

/** Long enough for a second factor. The proof of a sign-in is valid for twice as long. */
export const LINK_MS = 5 * 60_000;

const LINKED: z.ZodType<LinkedApproval> = z.object({
  by: z.object({ id: z.string(), name: z.string() }),
  ref: z.string(),
  approvalId: z.string(),
  hash: z.string(),
  choice: z.number().optional(),
  answer: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  note: z.string().nullable(),
  edited: z.object({ hash: z.string(), length: z.number() }).optional(),
  review: z.enum(['confirmed', 'unasked']),
  at: z.number(),
});

/** Returns the id under which a link is stored. The link can't be made from it, so Redis alone doesn't give it away. */
export function linkIdOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Keeps each link under a key that expires. */
export function createSignInLinks(redis: RedisClient, replication: Replication | null): SignInLinks {
  const ask = <Answer>(question: () => Promise<Answer>) => insist(redis, answerDeadline(), question);
  const find = async (linkId: string, read: (key: string) => Promise<string | null>) => {
    const key = signInLinkKey(linkId);
    const stored = await ask(() => read(key));
    if (stored !== null) return LINKED.parse(JSON.parse(stored));
    await replication?.confirmAbsent({ key });
    return null;
  };
  return {
    async create(intent) {
      const secret = randomBytes(32).toString('base64url');
      const stored: z.input<typeof LINKED> = { ...intent, at: Date.now() };
      await ask(() => redis.set(signInLinkKey(linkIdOf(secret)), JSON.stringify(stored), 'PX', LINK_MS));
      return secret;
    },
    find: (linkId) => find(linkId, (key) => redis.get(key)),
    use: (linkId) => find(linkId, (key) => redis.getdel(key)),
  };
}
