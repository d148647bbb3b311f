import { LRUCache } from 'lru-cache';
import type { OpenBucket, Rate, TokenBucket } from '../../core/ports.ts';
import type { Millis } from '../../core/values/time.ts';

/** Calls by urgency, the most urgent first. `end` shows that a run has ended. */
export type Rank = 'card' | 'end' | 'reply' | 'status';

const ORDER: Record<Rank, number> = { card: 0, end: 1, reply: 2, status: 3 };

/** The share of the burst that calls of a rank leave to more urgent ones, in this process and in others. */
const RESERVED: Record<Rank, number> = { card: 0, end: 0.1, reply: 0.25, status: 0.4 };

interface Waiting {
  rank: Rank;
  least: number;
  /** The end of its patience, on this process' monotonic clock. */
  until: number;
  resolve: (isItsTurn: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Orders the calls under one of Slack's rate limits. All processes take their tokens from one bucket. Calls wait by rank, so that no card
 * waits behind replies or status updates, and part of the burst is reserved for each rank from those below it.
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export class RateLimiter {
  readonly #rate: Rate;
  readonly #bucket: TokenBucket;
  /** The tokens in the bucket when we last looked. Other processes may have taken some since. */
  #level: { tokens: number; at: number };
  /** Sorted by rank, except calls that came after the bucket was asked. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isServing = false;

  constructor(rate: Rate, bucket: TokenBucket = new LocalBucket(rate)) {
    this.#rate = rate;
    this.#bucket = bucket;
    this.#level = { tokens: rate.burst, at: performance.now() };
  }

  /** Resolves to true at this call's turn, or to false if that is more than `mostMs` away. @throws {StoreUnavailable} */
  turn(rank: Rank, mostMs: Millis): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const least = 1 + Math.floor(this.#rate.burst * RESERVED[rank]);
      this.#waiting.push({ rank, least, until: performance.now() + mostMs, resolve, reject });
      void this.#serve();
    });
  }

  /** Gives a turn that isn't needed to another call. Never rejects: a lost token comes back by itself. */
  async leave(): Promise<void> {
    await this.#bucket.putBack().catch(() => {});
    this.#level = { tokens: Math.min(this.#rate.burst, this.#tokens() + 1), at: performance.now() };
    void this.#serve();
  }

  isWaiting(rank: Rank): boolean {
    return this.#waiting.some((each) => each.rank === rank);
  }

  /** Stops all processes for `waitMs`, because Slack rejected a call as too fast. Never rejects: Slack would say it again. */
  async backOff(waitMs: Millis): Promise<void> {
    this.#level = { tokens: Math.min(this.#tokens(), 1 - waitMs / this.#rate.everyMs), at: performance.now() };
    await this.#bucket.drain(waitMs).catch(() => {});
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    clearTimeout(this.#timer);
    try {
      for (let ready = this.#order(); ready.length > 0; ready = this.#order()) {
        const { count, tokens } = await this.#bucket.take(ready);
        this.#level = { tokens, at: performance.now() };
        for (const { resolve } of this.#waiting.splice(0, count)) resolve(true);
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#isServing = false;
    }
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => void this.#serve(), Math.max(1, this.#waitMs(0)));
  }

  /** Sorts the waiting calls and rejects those whose turn won't come in time. Returns the tokens that each call whose turn is now needs. */
  #order(): number[] {
    this.#waiting.sort((a, b) => ORDER[a.rank] - ORDER[b.rank]);
    const ready: number[] = [];
    let i = 0;
    for (let each = this.#waiting[i]; each; each = this.#waiting[i]) {
      const waitMs = this.#waitMs(i);
      if (waitMs > 0 && performance.now() + waitMs > each.until) {
        this.#waiting.splice(i, 1);
        each.resolve(false);
      } else {
        if (waitMs === 0 && ready.length === i) ready.push(each.least);
        i += 1;
      }
    }
    return ready;
  }

  #waitMs(i: number): Millis {
    const least = this.#waiting[i]?.least ?? 0;
    return Math.max(0, i + least - this.#tokens()) * this.#rate.everyMs;
  }

  #tokens(): number {
    const { everyMs, burst } = this.#rate;
    return Math.min(burst, this.#level.tokens + (performance.now() - this.#level.at) / everyMs);
  }
}

/** The bucket of a limit that no other process shares. */
class LocalBucket implements TokenBucket {
  readonly #rate: Rate;
  #fullAt = performance.now();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  async take(least: readonly number[]): Promise<{ count: number; tokens: number }> {
    let count = 0;
    while (count < least.length && this.#tokens() >= (least[count] ?? 0)) {
      count += 1;
      this.#owe(this.#rate.everyMs, 0);
    }
    return { count, tokens: this.#tokens() };
  }

  async putBack(): Promise<void> {
    this.#owe(-this.#rate.everyMs, 0);
  }

  async drain(waitMs: Millis): Promise<void> {
    this.#owe(0, waitMs + (this.#rate.burst - 1) * this.#rate.everyMs);
  }

  #tokens(): number {
    return this.#rate.burst - this.#debtMs() / this.#rate.everyMs;
  }

  #debtMs(): Millis {
    return Math.max(0, this.#fullAt - performance.now());
  }

  #owe(moreMs: Millis, leastMs: Millis): void {
    this.#fullAt = performance.now() + Math.max(this.#debtMs() + moreMs, leastMs);
  }
}

/** Rates for posts in one channel, and for updates of messages, Homes, statuses of threads and reads of user groups in the workspace. */
export type Rates = Record<'posting' | 'updating' | 'publishing' | 'statuses' | 'userGroups', Rate>;

const SLACK_RATES: Rates = {
  /** About one message a second in a channel, and short bursts; a little less, as calls take differently long. https://docs.slack.dev/reference/methods/chat.postMessage#rate_limiting */
  posting: { everyMs: 1_050, burst: 4 },
  /** Tier 3, 50 a minute in a workspace. https://docs.slack.dev/apis/web-api/rate-limits#tiers */
  updating: { everyMs: 1_200, burst: 20 },
  /** Tier 4, 100 a minute. Most are left to people who open Home, which waits for no turn. https://docs.slack.dev/reference/methods/views.publish */
  publishing: { everyMs: 1_500, burst: 10 },
  /** 600 a minute in a workspace. https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
  statuses: { everyMs: 100, burst: 50 },
  /** Tier 2, 20 a minute, which one call for each group would exhaust. https://docs.slack.dev/reference/methods/usergroups.list */
  userGroups: { everyMs: 3_000, burst: 10 },
};

const MAX_CHANNELS = 10_000;

export interface RateLimiters extends Record<Exclude<keyof Rates, 'posting'>, RateLimiter> {
  posting(channel: string): RateLimiter;
  areCardsWaiting(): boolean;
}

export function createRateLimiters({
  rates = SLACK_RATES,
  openBucket = (_, rate) => new LocalBucket(rate),
}: {
  rates?: Rates | undefined;
  /** Default: this process shares no limit with others. */
  openBucket?: OpenBucket;
} = {}): RateLimiters {
  const limiterOf = (limit: string, rate: Rate) => new RateLimiter(rate, openBucket(limit, rate));
  const channels = new LRUCache<string, RateLimiter>({
    max: MAX_CHANNELS,
    memoMethod: (channel) => limiterOf(`posting ${channel}`, rates.posting),
  });
  const updating = limiterOf('updating', rates.updating);
  return {
    updating,
    publishing: limiterOf('publishing', rates.publishing),
    statuses: limiterOf('statuses', rates.statuses),
    userGroups: limiterOf('user-groups', rates.userGroups),
    posting: (channel) => channels.memo(channel),
    areCardsWaiting: () => updating.isWaiting('card') || [...channels.values()].some((each) => each.isWaiting('card')),
  };
}
