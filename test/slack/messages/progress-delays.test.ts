import { expect, it } from 'vitest';
import { ProgressDelays } from '../../../src/slack/messages/turns.ts';

const refs = (count: number) => Array.from({ length: count }, (_, i) => `ref${i}`);

/** A channel in which the roots of this many runs were updated just now. */
function channelOf(runs: number): ProgressDelays {
  const delays = new ProgressDelays();
  for (const ref of refs(runs)) delays.updated('C1', ref, 0);
  return delays;
}

it('lets each run of a channel wait the longer the more there are', () => {
  const waits = [1, 2, 5, 10].map((runs) => channelOf(runs).waitMs('C1', 'ref0', 0));
  expect(waits).toEqual([3_500, 7_000, 17_500, 35_000]);
});

it('counts the time since the last update of the run, and of no other', () => {
  const delays = channelOf(2);
  delays.updated('C1', 'ref1', 5_000);
  expect([delays.waitMs('C1', 'ref0', 5_000), delays.waitMs('C1', 'ref1', 5_000)]).toEqual([2_000, 7_000]);
  expect(delays.waitMs('C1', 'ref0', 8_000)).toBe(0);
});

it('keeps no run waiting that is new or in another channel', () => {
  const delays = channelOf(5);
  expect([delays.waitMs('C1', 'new', 0), delays.waitMs('C2', 'ref0', 0)]).toEqual([0, 0]);
});

it('forgets runs that have nothing to tell, so that nobody waits longer than a minute', () => {
  const delays = channelOf(100);
  expect(delays.waitMs('C1', 'ref0', 59_999)).toBeGreaterThan(0);
  expect(delays.waitMs('C1', 'ref0', 60_000)).toBe(0);
  delays.updated('C1', 'ref0', 60_000);
  expect(delays.waitMs('C1', 'ref0', 60_000)).toBe(3_500);
});
