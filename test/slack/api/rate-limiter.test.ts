import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/slack/api/rate-limiter.ts';

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** So many calls, one after the other. */
async function calls(pace: RateLimiter, count: number): Promise<void> {
  for (let i = 0; i < count; i++) expect(await pace.turn('card', 10_000)).toBe(true);
}

describe('the pace of calls', () => {
  it('is a burst, and then one after the other', async () => {
    const pace = new RateLimiter({ everyMs: 40, burst: 3 });
    const burst = await tookMs(() => calls(pace, 3));
    const paced = await tookMs(() => calls(pace, 3));
    expect(paced).toBeGreaterThan(80);
    expect(burst).toBeLessThan(paced);
  });

  it('lets cards go before replies, and these before status updates', async () => {
    const pace = new RateLimiter({ everyMs: 10, burst: 1 });
    await calls(pace, 1);
    const went: string[] = [];
    const ranks = ['status', 'reply', 'card', 'reply', 'card'] as const;
    await Promise.all(ranks.map(async (rank) => ((await pace.turn(rank, 10_000)) ? went.push(rank) : null)));
    expect(went).toEqual(['card', 'card', 'reply', 'reply', 'status']);
  });

  it('says at once where the wait would be too long', async () => {
    const pace = new RateLimiter({ everyMs: 60_000, burst: 1 });
    await calls(pace, 1);
    expect(await tookMs(async () => expect(await pace.turn('card', 30_000)).toBe(false))).toBeLessThan(10_000);
  });

  it('keeps the last part of a burst for what is more than a status', async () => {
    const pace = new RateLimiter({ everyMs: 60_000, burst: 5 });
    const statuses = await Promise.all([1, 2, 3, 4].map(() => pace.turn('status', 0)));
    expect(statuses).toEqual([true, true, true, false]);
    await calls(pace, 2);
  });

  it('halves with a refusal, since other processes may share the limit, and comes back', async () => {
    const pace = new RateLimiter({ everyMs: 10, burst: 1 });
    pace.hold(20);
    expect(await tookMs(() => calls(pace, 6))).toBeGreaterThan(20 + 5 * 18);
    await calls(pace, 40);
    // On a busy machine some of them wait for the machine.
    const times = [];
    for (let i = 0; i < 10; i++) times.push(await tookMs(() => calls(pace, 5)));
    expect(Math.min(...times)).toBeLessThan(5 * 20);
  });
});
