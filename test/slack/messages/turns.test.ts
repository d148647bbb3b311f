import { describe, expect, it } from 'vitest';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type Message, postOf, withPost } from '../../../src/core/state/message.ts';
import { createRateLimiters } from '../../../src/slack/api/rate-limiter.ts';
import { createTurns, ProgressDelays } from '../../../src/slack/messages/turns.ts';
import { execution } from '../../support/executions.ts';
import { decided, decision, JON, MARIA, pending, posted } from '../../support/requests.ts';

const CARD: Message = { kind: 'card', approvalId: '1' };
const REMINDER: Message = { kind: 'alert', approvalId: '1', alertId: '1' };
const ROOT: Message = { kind: 'root' };

/** So slow that nothing but the burst goes within the test. */
const RATES = {
  posting: { everyMs: 60_000, burst: 4 },
  updating: { everyMs: 60_000, burst: 5 },
  publishing: { everyMs: 60_000, burst: 1 },
  statuses: { everyMs: 60_000, burst: 1 },
  userGroups: { everyMs: 60_000, burst: 1 },
};

/** How many of ten calls of each kind go at once, in this order. */
async function going(call: 'post' | 'update', wanted: [Execution, Message][]): Promise<number[]> {
  const { turn } = createTurns(createRateLimiters({ rates: RATES }));
  const counts: number[] = [];
  for (const [each, message] of wanted) {
    const waits = await Promise.all(Array.from({ length: 10 }, () => turn(call, each, message)));
    counts.push(waits.filter((waitMs) => waitMs === null).length);
  }
  return counts;
}

const asked = execution({ requests: [pending()] });

it('reminders and the like leave room for cards, and for the root that a card waits for', async () => {
  expect(
    await going('post', [
      [asked, REMINDER],
      [asked, CARD],
    ]),
  ).toEqual([3, 1]);
  expect(
    await going('post', [
      [asked, REMINDER],
      [asked, ROOT],
    ]),
  ).toEqual([3, 1]);
});

it('cards that only state other rules leave room for all other updates', async () => {
  const times = (rules: string) => ({ ...pending().discussion.times, rules });
  const before = execution({ requests: [pending({ times: times('old') })] });
  const shown = withPost(before, CARD, () => posted({ shown: wantedFor(before, CARD) }));
  const card = pending({ times: times('new'), card: postOf(shown, CARD) ?? posted() });
  const ruled = execution({ requests: [card] });
  const voted = execution({ requests: [{ ...card, discussion: { ...card.discussion, takenBack: 1 } }] });
  expect(
    await going('update', [
      [ruled, CARD],
      [voted, ROOT],
      [voted, CARD],
    ]),
  ).toEqual([3, 1, 1]);
});

it('direct messages leave room for cards, but for those of people who have acted', async () => {
  const to = (person: string): Message => ({ kind: 'direct-message', approvalId: '1', to: person });
  const by = decided({ decision: decision({ by: JON }) });
  const told = execution({ requests: [by] });
  expect(
    await going('update', [
      [told, to(MARIA.id)],
      [told, to(JON.id)],
      [told, CARD],
    ]),
  ).toEqual([3, 1, 1]);
});

it('what shows that a run has ended goes before what shows how others go on', async () => {
  const root = posted({ shown: 'another state' });
  const running = execution({ root, run: { status: 'running' } });
  const ended = execution({ root, run: { status: 'completed', endedAt: 1, result: null } });
  expect(
    await going('update', [
      [running, ROOT],
      [ended, ROOT],
    ]),
  ).toEqual([4, 1]);
});

const refs = (count: number) => Array.from({ length: count }, (_, i) => `ref${i}`);

/** A channel in which the roots of this many runs were updated just now. */
function channelOf(runs: number): ProgressDelays {
  const delays = new ProgressDelays();
  for (const ref of refs(runs)) delays.updated('C1', ref, 0);
  return delays;
}

describe('the delays of progress', () => {
  it('let each run of a channel wait longer the more runs there are', () => {
    const waits = [1, 2, 5, 10].map((runs) => channelOf(runs).waitMs('C1', 'ref0', 0));
    expect(waits).toEqual([5_000, 10_000, 25_000, 50_000]);
  });

  it('count the time since the last update of the run, and of no other', () => {
    const delays = channelOf(2);
    delays.updated('C1', 'ref1', 5_000);
    expect([delays.waitMs('C1', 'ref0', 5_000), delays.waitMs('C1', 'ref1', 5_000)]).toEqual([5_000, 10_000]);
    expect(delays.waitMs('C1', 'ref0', 11_000)).toBe(0);
  });

  it('keep no run waiting that is new or in another channel', () => {
    const delays = channelOf(5);
    expect([delays.waitMs('C1', 'new', 0), delays.waitMs('C2', 'ref0', 0)]).toEqual([0, 0]);
  });

  it('forget runs that have nothing to tell, so that nobody waits longer than a minute', () => {
    const delays = channelOf(100);
    expect(delays.waitMs('C1', 'ref0', 59_999)).toBeGreaterThan(0);
    expect(delays.waitMs('C1', 'ref0', 60_000)).toBe(0);
    delays.updated('C1', 'ref0', 60_000);
    expect(delays.waitMs('C1', 'ref0', 60_000)).toBe(5_000);
  });
});
