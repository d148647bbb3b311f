import { LRUCache } from 'lru-cache';
import { RateLimiter } from './rate-limiter.ts';

/** How fast messages may be posted in one channel, and messages and Homes updated in the whole workspace. */
export interface Rates {
  posting: Rate;
  updating: Rate;
  publishing: Rate;
}

interface Rate {
  everyMs: number;
  burst: number;
}

const SLACK_RATES: Rates = {
  /** About one message a second in a channel, and short bursts; a little less, as calls take differently long. https://docs.slack.dev/reference/methods/chat.postMessage#rate_limiting */
  posting: { everyMs: 1_050, burst: 4 },
  /** Tier 3, 50 a minute in a workspace. https://docs.slack.dev/apis/web-api/rate-limits#tiers */
  updating: { everyMs: 1_200, burst: 20 },
  /**
   * Tier 4, 100 a minute in a workspace, most of which is left to the openings of Homes, which don't wait for a turn.
   * https://docs.slack.dev/reference/methods/views.publish
   */
  publishing: { everyMs: 1_500, burst: 10 },
};

const MAX_CHANNELS = 10_000;

export interface RateLimiters {
  posting(channel: string): RateLimiter;
  updating: RateLimiter;
  /** Of updates of Homes. */
  publishing: RateLimiter;
  /** Whether a card waits to be posted or updated. */
  areCardsWaiting(): boolean;
}

export function createRateLimiters(rates: Rates = SLACK_RATES): RateLimiters {
  const channels = new LRUCache<string, RateLimiter>({
    max: MAX_CHANNELS,
    memoMethod: () => new RateLimiter(rates.posting),
  });
  const updating = new RateLimiter(rates.updating);
  return {
    ...{ updating, publishing: new RateLimiter(rates.publishing) },
    posting: (channel) => channels.memo(channel),
    areCardsWaiting: () => updating.isWaiting('card') || [...channels.values()].some((each) => each.isWaiting('card')),
  };
}
