import { expect, it } from 'vitest';
import { stopInTime } from '../../src/bot/bot.ts';
import { settlesWithin } from '../support/settles-within.ts';

const never = () => new Promise<never>(() => {});

it('A stop takes one step after the other, each as soon as what it follows has ended', async () => {
  const seen: string[] = [];
  const end = (name: string) => async () => void seen.push(name);
  const stopping = stopInTime([
    { byMs: 60_000, end: () => [end('work')(), end('loops')()] },
    { byMs: 60_000, end: (withinMs) => [end(withinMs > 50_000 ? 'in time' : 'late')()] },
  ]);
  expect(await settlesWithin(30_000, stopping)).toBe(true);
  expect(seen).toEqual(['work', 'loops', 'in time']);
});

it('A stop leaves behind what hangs or fails, and takes each step all the same', async () => {
  const left: number[] = [];
  const fail = () => Promise.reject(new Error('it failed'));
  const stopping = stopInTime([
    { byMs: 20, end: () => [never(), fail()] },
    { byMs: 40, end: () => [never()] },
    {
      byMs: 40,
      end: (withinMs) => {
        left.push(withinMs);
        return [never()];
      },
    },
  ]);
  expect(await settlesWithin(30_000, stopping)).toBe(true);
  // A timer may be a millisecond early.
  expect(left).toEqual([expect.closeTo(0, -1)]);
});
