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

  it('lets cards go before ends, ends before replies, and replies before status updates', async () => {
    const limiter = new RateLimiter({ everyMs: 10, burst: 1 });
    // Otherwise it could be the turn of the first before the last has asked.
    await limiter.backOff(500);
    const went: string[] = [];
    const ranks = ['status', 'reply', 'card', 'end', 'reply', 'card'] as const;
    await Promise.all(ranks.map(async (rank) => ((await limiter.turn(rank, 10_000)) ? went.push(rank) : null)));
    expect(went).toEqual(['card', 'card', 'end', 'reply', 'reply', 'status']);
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

  it('sends away those who would wait longer than they may since others go before them', async () => {
    const limiter = new RateLimiter({ everyMs: 100, burst: 1 });
    await calls(limiter, 1);
    const status = limiter.turn('status', 150);
    const cards = [1, 2, 3].map(() => limiter.turn('card', 10_000));
    expect(await Promise.race([status, ...cards])).toBe(false);
    expect(await Promise.all(cards)).toEqual([true, true, true]);
  });

  it('makes no call for as long as Slack says after a rejection, and then goes on as before', async () => {
    const limiter = new RateLimiter({ everyMs: 20, burst: 20 });
    await limiter.backOff(300);
    expect(await tookMs(() => calls(limiter, 1))).toBeGreaterThan(280);
    const beganAt = performance.now();
    await calls(limiter, 25);
    // On a busy machine some of them are late.
    expect(25 / ((performance.now() - beganAt) / 20)).toBeGreaterThan(0.6);
  });

  it('gives a turn that is left to the next one who waits', async () => {
    const limiter = new RateLimiter({ everyMs: 60_000, burst: 1 });
    await calls(limiter, 1);
    const next = limiter.turn('card', 120_000);
    await limiter.leave();
    expect(await next).toBe(true);
  });
});
