import { Redis } from 'ioredis';

// KEYS: decision, outbox. ARGV: who decided, now in milliseconds, id.
const CLAIM = `
  if redis.call('SET', KEYS[1], ARGV[1], 'NX') == false then return 0 end
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
  return 1`;

// KEYS: outbox. ARGV: id.
const DONE = `return redis.call('ZREM', KEYS[1], ARGV[1])`;

/** The least that makes a decision durable before its ack: one script claims it, one marks it done. */
export interface Outbox {
  /** Resolves to whether this was the first decision. */
  claim(id: string, who: string): Promise<boolean>;
  done(id: string): Promise<void>;
}

export async function createOutbox(redisUrl: string): Promise<Outbox> {
  const redis = new Redis(redisUrl);
  const load = async (script: string) => String(await redis.script('LOAD', script));
  const [claimSha, doneSha] = [await load(CLAIM), await load(DONE)];
  return {
    claim: async (id, who) => (await redis.evalsha(claimSha, 2, `decision:${id}`, 'outbox', who, Date.now(), id)) === 1,
    done: async (id) => void (await redis.evalsha(doneSha, 1, 'outbox', id)),
  };
}
