import { LRUCache } from 'lru-cache';

interface Waiting {
  rank: Rank;
  go: () => void;
}

export type Rank = 'card' | 'reply' | 'status';

const ORDER: Record<Rank, number> = { card: 0, reply: 1, status: 2 };

/** The part of the burst that calls of a rank leave to those before them. */
const RESERVED: Record<Rank, number> = { card: 0, reply: 0.25, status: 0.4 };

/** Enough for eight processes that share Slack's limit. */
const MAX_SLOWDOWN = 8;
/** After this many calls' worth of time without a refusal, the rate is doubled again. */
const CALLS_UNTIL_SPEED_UP = 30;

/**
 * A token bucket for one of Slack's rate limits: `burst` calls at once, then one every `everyMs`. Waiting calls go by rank, so
 * that no card waits behind replies or status updates, and part of the burst is reserved for each rank from those below it.
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export class RateLimiter {
  readonly #fastestMs: number;
  readonly #burst: number;
  #tokens: number;
  #countedAt = performance.now();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #slowdown = 1;
  #slowedAt = Number.NEGATIVE_INFINITY;

  constructor({ everyMs, burst }: Rate) {
    this.#fastestMs = everyMs;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Resolves to true at this call's turn, or at once to false if that is more than `mostMs` away. */
  async turn(rank: Rank, mostMs: number): Promise<boolean> {
    this.#count();
    const least = 1 + reserve(rank, this.#burst);
    if (this.#waiting.length === 0 && this.#tokens >= least) {
      this.#tokens -= 1;
      return true;
    }
    const ahead = this.#waiting.filter((each) => ORDER[each.rank] <= ORDER[rank]).length;
    const waitMs = (ahead + least - this.#tokens) * this.#everyMs;
    if (waitMs > mostMs) return false;
    return new Promise((resolve) => {
      this.#waiting.push({ rank, go: () => resolve(true) });
      this.#waiting.sort((a, b) => ORDER[a.rank] - ORDER[b.rank]);
      this.#serve();
    });
  }

  isWaiting(rank: Rank): boolean {
    return this.#waiting.some((each) => each.rank === rank);
  }

  /**
   * Slack has rejected a call as too fast: nothing goes for `waitMs`, and then at half the rate. Other processes of the bot
   * share the limit, and Slack's rejections are the only way to learn of them.
   */
  backOff(waitMs: number): void {
    this.#count();
    const now = performance.now();
    // Rejections of concurrent calls count once.
    if (now - this.#slowedAt > this.#fastestMs) this.#slowdown = Math.min(MAX_SLOWDOWN, this.#slowdown * 2);
    this.#slowedAt = now;
    this.#tokens = Math.min(this.#tokens, 1 - waitMs / this.#everyMs);
  }

  #serve(): void {
    this.#count();
    let next = this.#waiting[0];
    while (next && this.#tokens >= 1 + reserve(next.rank, this.#burst)) {
      this.#tokens -= 1;
      this.#waiting.shift();
      next.go();
      next = this.#waiting[0];
    }
    if (next) this.#wakeIn((1 + reserve(next.rank, this.#burst) - this.#tokens) * this.#everyMs);
  }

  #wakeIn(delayMs: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#serve(), Math.max(1, delayMs));
  }

  get #everyMs(): number {
    return this.#fastestMs * this.#slowdown;
  }

  #count(): void {
    const now = performance.now();
    if (this.#slowdown > 1 && now - this.#slowedAt > CALLS_UNTIL_SPEED_UP * this.#everyMs) {
      this.#slowdown /= 2;
      this.#slowedAt = now;
    }
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAt) / this.#everyMs);
    this.#countedAt = now;
  }
}

function reserve(rank: Rank, burst: number): number {
  return Math.floor(burst * RESERVED[rank]);
}

interface Rate {
  everyMs: number;
  burst: number;
}

/** How fast messages may be posted in one channel, and messages and Homes updated in the whole workspace. */
export type Rates = Record<'posting' | 'updating' | 'publishing', Rate>;

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
  publishing: RateLimiter;
  areCardsWaiting(): boolean;
}

export function createRateLimiters(rates: Rates = SLACK_RATES): RateLimiters {
  const channels = new LRUCache<string, RateLimiter>({
    max: MAX_CHANNELS,
    memoMethod: () => new RateLimiter(rates.posting),
  });
  const updating = new RateLimiter(rates.updating);
  return {
    updating,
    publishing: new RateLimiter(rates.publishing),
    posting: (channel) => channels.memo(channel),
    areCardsWaiting: () => updating.isWaiting('card') || [...channels.values()].some((each) => each.isWaiting('card')),
  };
}
