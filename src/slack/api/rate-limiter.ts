/** A call that waits for its turn: the smaller the rank, the sooner. */
interface Waiting {
  rank: Rank;
  go: () => void;
}

export type Rank = 'card' | 'reply' | 'status';

const ORDER: Record<Rank, number> = { card: 0, reply: 1, status: 2 };

/** As much as there may be processes of ours. */
const MOST_SLOWDOWN = 8;
/** After the time of so many calls without a refusal, twice the rate is tried again. */
const CALM = 30;

/**
 * One of Slack's rate limits, kept from our side: `burst` calls at once, one more each `everyMs`. Those who wait go by rank,
 * so that no card waits behind status updates, and the last part of the allowance is kept for cards.
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

  constructor({ everyMs, burst }: { everyMs: number; burst: number }) {
    this.#fastestMs = everyMs;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Resolves when it is this call's turn; or at once with false where the wait would be longer than `mostMs`. */
  async turn(rank: Rank, mostMs: number): Promise<boolean> {
    this.#count();
    const ahead = this.#waiting.filter((each) => ORDER[each.rank] <= ORDER[rank]).length;
    const waitMs = (ahead + 1 + reserve(rank, this.#burst) - this.#tokens) * this.#everyMs;
    if (waitMs > mostMs) return false;
    return new Promise((resolve) => {
      this.#waiting.push({ rank, go: () => resolve(true) });
      this.#waiting.sort((a, b) => ORDER[a.rank] - ORDER[b.rank]);
      this.#serve();
    });
  }

  /**
   * Slack said that we are too fast: nothing goes before that time, and then at half the rate. Other processes of ours
   * have the same limit, and only its refusals tell of them.
   */
  hold(waitMs: number): void {
    this.#count();
    const now = performance.now();
    // The refusals of calls that were under way together tell the same.
    if (now - this.#slowedAt > this.#fastestMs) this.#slowdown = Math.min(MOST_SLOWDOWN, this.#slowdown * 2);
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
    if (this.#slowdown > 1 && now - this.#slowedAt > CALM * this.#everyMs) {
      this.#slowdown /= 2;
      this.#slowedAt = now;
    }
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAt) / this.#everyMs);
    this.#countedAt = now;
  }
}

function reserve(rank: Rank, burst: number): number {
  return rank === 'status' ? Math.floor(burst * 0.4) : 0;
}
