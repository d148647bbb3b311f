import { expect, it } from 'vitest';
import { type Rate, StoreUnavailable } from '../../src/core/ports.ts';
import { rateKey } from '../../src/redis/keys.ts';
import { createOpenBucket } from '../../src/redis/rates.ts';
import { type Rank, RateLimiter } from '../../src/slack/api/rate-limiter.ts';
import { redisForTests } from './store-under-test.ts';

const { redis, another } = redisForTests();

/** How a process sees a limit that it shares with all others. */
function aProcess(rate: Rate, client = another()): RateLimiter {
  return new RateLimiter(rate, createOpenBucket(client)('updating', rate));
}

/** So slow that nothing but the burst goes within the test. */
const SLOW = { everyMs: 600_000, burst: 10 };

/** How many of ten calls of a rank go at once. */
async function going(limiter: RateLimiter, rank: Rank): Promise<number> {
  const turns = await Promise.all(Array.from({ length: 10 }, () => limiter.turn(rank, 0)));
  return turns.filter(Boolean).length;
}

/** Takes turns, one after the other, until the time is over. */
async function callsUntil(limiter: RateLimiter, until: number): Promise<number> {
  let calls = 0;
  while (await limiter.turn('card', Math.max(0, until - performance.now()))) calls += 1;
  return calls;
}

/** The calls of all processes in about a second, by those that the limit allows. */
async function partOfAllowed(processes: readonly RateLimiter[], rate: Rate): Promise<number> {
  await redis().del(rateKey('updating'));
  const beganAt = performance.now();
  const calls = await Promise.all(processes.map((each) => callsUntil(each, beganAt + 1_000)));
  return calls.reduce((sum, each) => sum + each, 0) / (rate.burst + (performance.now() - beganAt) / rate.everyMs);
}

it('one, two and four processes make together as many calls as the limit allows, and no more', async () => {
  const rate = { everyMs: 20, burst: 40 };
  for (const count of [1, 2, 4]) {
    const parts: number[] = [];
    // A busy machine may hold them up at the end, when there is no time left to make good for it.
    for (let tries = 0; tries < 5 && !(Math.max(...parts) > 0.9); tries++)
      parts.push(
        await partOfAllowed(
          Array.from({ length: count }, () => aProcess(rate)),
          rate,
        ),
      );
    expect(Math.max(...parts)).toBeGreaterThan(0.9);
    expect(Math.max(...parts)).toBeLessThanOrEqual(1);
  }
});

it('part of the burst is left to cards, to what shows an end, and to replies, whichever process they are in', async () => {
  const [one, other] = [aProcess(SLOW), aProcess(SLOW)];
  expect(await going(one, 'status')).toBe(6);
  expect(await going(other, 'status')).toBe(0);
  expect(await going(other, 'reply')).toBe(2);
  expect(await going(one, 'end')).toBe(1);
  expect(await going(other, 'card')).toBe(1);
});

it('a turn that is left goes to whichever process asks', async () => {
  const [one, other] = [aProcess(SLOW), aProcess(SLOW)];
  expect(await going(one, 'card')).toBe(10);
  expect(await going(other, 'card')).toBe(0);
  await one.leave();
  // It has just learned that none is there for ten minutes.
  expect(await going(aProcess(SLOW), 'card')).toBe(1);
});

it('after a rejection no process makes a call until Slack takes some again, and then all go on at the full rate', async () => {
  const rate = { everyMs: 20, burst: 40 };
  const [one, other] = [aProcess(rate), aProcess(rate)];
  const waitMs = 500;
  const rejectedAt = performance.now();
  await one.backOff(waitMs);
  const until = rejectedAt + waitMs + 1_500;
  expect(await aProcess(rate).turn('card', waitMs - 100)).toBe(false);
  await other.turn('card', 10_000);
  expect(performance.now() - rejectedAt).toBeGreaterThanOrEqual(waitMs);
  const calls = await Promise.all([one, other].map((each) => callsUntil(each, until)));
  const allowed = (performance.now() - rejectedAt - waitMs) / rate.everyMs;
  // On a busy machine fewer than all.
  expect(calls.reduce((sum, each) => sum + each, 1) / allowed).toBeGreaterThan(0.6);
});

it('no process waits longer where the clock of Redis was set back', async () => {
  const rate = { everyMs: 20, burst: 1 };
  await redis().hset(rateKey('updating'), { debt: 20, at: Date.now() + 3_600_000 });
  const limiter = aProcess(rate);
  for (let calls = 0; calls < 3; calls++) expect(await limiter.turn('card', 10_000)).toBe(true);
});

it('what is used up of a limit is forgotten once all of it is there again', async () => {
  const limiter = aProcess({ everyMs: 10_000, burst: 3 });
  await limiter.turn('card', 0);
  await limiter.turn('card', 0);
  const leftMs = await redis().pttl(rateKey('updating'));
  expect(leftMs).toBeGreaterThan(10_000);
  expect(leftMs).toBeLessThanOrEqual(20_000);
  await limiter.leave();
  await limiter.leave();
  expect(await redis().exists(rateKey('updating'))).toBe(0);
});

it('a limit and a rejection of any length leave a bucket that gives turns again', async () => {
  const limiter = aProcess({ everyMs: 0.4, burst: 3 });
  await limiter.backOff(10.3);
  expect(await limiter.turn('card', 5_000)).toBe(true);
  expect(await redis().pttl(rateKey('updating'))).not.toBe(-1);
});

it('while Redis is away, nobody who waits for a turn hangs', async () => {
  const client = another();
  const limiter = aProcess(SLOW, client);
  await limiter.turn('card', 0);
  client.disconnect();
  const turns = [limiter.turn('card', 60_000), limiter.turn('status', 60_000)];
  for (const turn of turns) await expect(turn).rejects.toBeInstanceOf(StoreUnavailable);
  await limiter.leave();
  await limiter.backOff(1_000);
});
