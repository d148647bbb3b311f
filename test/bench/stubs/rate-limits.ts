/**
 * Slack's limits of the two methods that bots call most: one message a second in a channel, bursts of five; 50 updates a
 * minute. https://docs.slack.dev/apis/web-api/rate-limits
 */
const RATES = {
  'chat.postMessage': { everyMs: 1_000, burst: 5 },
  'chat.update': { everyMs: 1_200, burst: 50 },
};

export interface RateLimits {
  /** Counts one call. @returns the whole seconds to wait if it comes too early, otherwise null */
  refuse(method: string, channel: string, nowMs: number): number | null;
}

export function createRateLimits(): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    refuse(method, channel, nowMs) {
      if (method !== 'chat.postMessage' && method !== 'chat.update') return null;
      const { everyMs, burst } = RATES[method];
      const bucket = method === 'chat.update' ? method : `${method} ${channel}`;
      const { tokens, at } = buckets.get(bucket) ?? { tokens: burst, at: nowMs };
      const left = Math.min(burst, tokens + (nowMs - at) / everyMs);
      buckets.set(bucket, { tokens: left >= 1 ? left - 1 : left, at: nowMs });
      return left >= 1 ? null : Math.max(1, Math.ceil(((1 - left) * everyMs) / 1_000));
    },
  };
}
