import { LRUCache } from 'lru-cache';
import { RateLimiter } from './rate-limiter.ts';

/** How fast messages may be posted in one channel, and updated in the whole workspace. */
export interface Rates {
  posting: Rate;
  updating: Rate;
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
};

const MAX_CHANNELS = 10_000;

interface RateLimiters {
  posting(channel: string): RateLimiter;
  updating: RateLimiter;
}

export function createRateLimiters(rates: Rates = SLACK_RATES): RateLimiters {
  const channels = new LRUCache<string, RateLimiter>({
    max: MAX_CHANNELS,
    memoMethod: () => new RateLimiter(rates.posting),
  });
  return { posting: (channel) => channels.memo(channel), updating: new RateLimiter(rates.updating) };
}
