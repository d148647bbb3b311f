import { expect, it } from 'vitest';
import { reconnectPauseMs } from '../../../src/slack/receivers/socket-receiver.ts';

const hours = Array.from({ length: 5_000 }, (_, tries) => tries);

it('is back within ten seconds of Slack’s return, however long it was away', () => {
  const attemptMs = 5_000;
  const pauses = hours.map((tries) => reconnectPauseMs({ tries, isTroubled: false, random: 1 }));
  expect(attemptMs + Math.max(...pauses)).toBeLessThan(10_000);
});

it('calls Slack at most thirty times a minute while it is away, each process at times of its own', () => {
  const least = reconnectPauseMs({ tries: 100, isTroubled: false, random: 0 });
  const most = reconnectPauseMs({ tries: 100, isTroubled: false, random: 1 });
  expect(60_000 / least).toBeLessThanOrEqual(30);
  expect(most).toBe(2 * least);
});

it('calls less and less often while somebody has to change the settings of the app', () => {
  expect(reconnectPauseMs({ tries: 100, isTroubled: true, random: 1 })).toBe(30_000);
});

it('replaces a connection that has lasted without a pause', () => {
  expect(reconnectPauseMs({ tries: 0, isTroubled: false, random: 1 })).toBe(0);
});
