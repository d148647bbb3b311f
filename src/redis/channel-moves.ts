import type { ChannelMoves } from '../core/ports.ts';
import { answerDeadline, insist, type RedisClient } from './call.ts';
import { channelMovesKey } from './keys.ts';

/** More ids than Slack ever gives one channel after the other. */
const MOST_MOVES = 5;

/** Keeps the channel ids that Slack has replaced, which settings may still use. */
export function createChannelMoves(redis: RedisClient): ChannelMoves {
  return {
    async add(from, to) {
      await insist(redis, answerDeadline(), () => redis.hset(channelMovesKey, from, to));
    },
    async latest(channel) {
      const until = answerDeadline();
      let latest = channel;
      for (let moves = 0; moves < MOST_MOVES; moves++) {
        const next = await insist(redis, until, () => redis.hget(channelMovesKey, latest));
        if (next === null) break;
        latest = next;
      }
      return latest;
    },
  };
}
