import type { Millis } from '../core/time.ts';
import { answerDeadline, insist, type RedisClient } from './connection/call.ts';
import { homeTurnKey } from './keys.ts';

/** Whether a person's Home may be published now, which no process then does again for `gapMs`. Throws `StoreUnavailable`. */
export type TakeHomeTurn = (personId: string, gapMs: Millis) => Promise<boolean>;

export function createTakeHomeTurn(redis: RedisClient): TakeHomeTurn {
  return async (personId, gapMs) => {
    const take = () => redis.set(homeTurnKey(personId), '', 'PX', gapMs, 'NX');
    return (await insist(redis, answerDeadline(), take)) !== null;
  };
}
