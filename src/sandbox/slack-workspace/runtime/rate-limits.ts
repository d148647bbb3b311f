/** https://docs.slack.dev/apis/web-api/rate-limits */
export type Tier = 'tier1' | 'tier2' | 'tier3' | 'tier4' | 'per-channel' | 'special' | 'unlimited';

/** Token buckets of `burst` calls. Slack documents the rates, but only "occasional bursts" without a size. */
const RATES: { [tier in Exclude<Tier, 'unlimited'>]: { perMinute: number; burst: number } } = {
  tier1: { perMinute: 1, burst: 10 },
  tier2: { perMinute: 20, burst: 20 },
  tier3: { perMinute: 50, burst: 50 },
  tier4: { perMinute: 100, burst: 100 },
  'per-channel': { perMinute: 60, burst: 5 },
  // Statuses: 600 a minute for an app in a workspace.
  special: { perMinute: 600, burst: 600 },
};

export type RateLimits = {
  /** Counts one call. Returns whole seconds to wait if the limit is exceeded, otherwise undefined. */
  refuse(tier: Tier, bucket: string): number | undefined;
};

export function createRateLimits(now: () => number): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    refuse(tier, bucket) {
      if (tier === 'unlimited') return undefined;
      const { perMinute, burst } = RATES[tier];
      const balance = buckets.get(bucket) ?? { tokens: burst, at: now() };
      const tokens = Math.min(burst, balance.tokens + ((now() - balance.at) / 60_000) * perMinute);
      buckets.set(bucket, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now() });
      return tokens >= 1 ? undefined : Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60));
    },
  };
}
