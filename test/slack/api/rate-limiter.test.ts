import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/slack/api/rate-limiter.ts';

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Makes calls one after the other. */
async function calls(limiter: RateLimiter, count: number): Promise<void> {
  for (let i = 0; i < count; i++) expect(await limiter.turn('card', 10_000)).toBe(true);
}

describe('a rate limiter', () => {
  it('allows a burst, and then one call at a time', async () => {
    const limiter = new RateLimiter({ everyMs: 200, burst: 3 });
    const burst = await tookMs(() => calls(limiter, 3));
    const paced = await tookMs(() => calls(limiter, 3));
    expect(paced).toBeGreaterThan(400);
    expect(burst).toBeLessThan(paced);
  });

  it('lets cards go before replies, and replies before status updates', async () => {
    const limiter = new RateLimiter({ everyMs: 10, burst: 1 });
    // Otherwise it could be the turn of the first before the last has asked.
    limiter.backOff(500);
    const went: string[] = [];
    const ranks = ['status', 'reply', 'card', 'reply', 'card'] as const;
    await Promise.all(ranks.map(async (rank) => ((await limiter.turn(rank, 10_000)) ? went.push(rank) : null)));
    expect(went).toEqual(['card', 'card', 'reply', 'reply', 'status']);
  });

  it('refuses at once when the wait would be too long', async () => {
    const limiter = new RateLimiter({ everyMs: 60_000, burst: 1 });
    await calls(limiter, 1);
    expect(await tookMs(async () => expect(await limiter.turn('card', 30_000)).toBe(false))).toBeLessThan(10_000);
  });

  it('reserves part of the burst for cards, and more of it for cards and replies', async () => {
    const limiter = new RateLimiter({ everyMs: 60_000, burst: 5 });
    const statuses = await Promise.all([1, 2, 3, 4].map(() => limiter.turn('status', 0)));
    expect(statuses).toEqual([true, true, true, false]);
    const replies = await Promise.all([1, 2].map(() => limiter.turn('reply', 0)));
    expect(replies).toEqual([true, false]);
    await calls(limiter, 1);
  });

  it('halves its rate after a rejection, since other processes may share the limit, and recovers', async () => {
    const limiter = new RateLimiter({ everyMs: 10, burst: 1 });
    limiter.backOff(20);
    expect(await tookMs(() => calls(limiter, 6))).toBeGreaterThan(20 + 5 * 18);
    await calls(limiter, 40);
    // On a busy machine some of them wait for the CPU.
    const times = [];
    for (let i = 0; i < 10; i++) times.push(await tookMs(() => calls(limiter, 5)));
    expect(Math.min(...times)).toBeLessThan(5 * 20);
  });
});
