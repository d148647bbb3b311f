import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { type Outcome, runSideBySide, runTrials, type Trial } from './run-trials.ts';

const WORLDS = 4;
const MOST_CHANGES = 60;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

function expectNothingWrong(what: string, outcomes: Outcome[]): void {
  console.info(`${what}: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
}

/** Everything is delivered, since the bot lived and could look again. */
function expectAllDelivered(outcomes: Outcome[]): void {
  const undelivered = outcomes.filter(({ findings }) => findings.delivered !== findings.decisions);
  expect(undelivered.map(({ name }) => name)).toEqual([]);
}

describe.concurrent('trouble with Redis', () => {
  it(
    'a connection that breaks at any change, before or after it, costs nothing and repeats nothing',
    async () => {
      const all = (['before', 'after'] as const).flatMap((when) => numbers(MOST_CHANGES).map((nth) => ({ when, nth })));
      const trials = all.map(({ when, nth }): Trial => {
        return {
          name: `cut just ${when} change ${nth}`,
          arm: ({ bots: [bot] }) => bot?.redis.arm({ countdown: { left: nth }, when }),
        };
      });
      const outcomes = await runSideBySide(WORLDS, trials);
      expectNothingWrong('connection to Redis cut', outcomes);
      expectAllDelivered(outcomes);
    },
    TRIALS_TIMEOUT_MS,
  );

  it(
    'a Redis that is slow, restarted or away for long loses nothing',
    async () => {
      const changesOf = ({ bots }: Parameters<Trial['arm']>[0]) =>
        bots.reduce((sum, bot) => sum + bot.redis.changes().length, 0);
      const once = (
        nth: number,
        happen: (world: Parameters<Trial['arm']>[0]) => Promise<void>,
      ): Omit<Trial, 'name'> => {
        let from = 0;
        let isDue = true;
        return {
          arm: (world) => {
            from = changesOf(world);
          },
          tend: async (world) => {
            if (!isDue || changesOf(world) < from + nth) return;
            isDue = false;
            await happen(world);
          },
        };
      };
      const restarts = [2, 12, 25, 40].map((nth): Trial => {
        return { name: `restarted at change ${nth}`, ...once(nth, ({ redis }) => redis.restart()) };
      });
      const crashes = [5, 20, 35].map((nth): Trial => {
        const crash = once(nth, async ({ redis }) => {
          await redis.kill();
          await redis.restart();
        });
        return { name: `its power cut at change ${nth}`, ...crash };
      });
      const away = once(15, async ({ bots: [bot] }) => {
        bot?.redis.shut();
        await pause(30_000);
        bot?.redis.open();
      });
      const slow: Trial = { name: 'slow', arm: ({ bots: [bot] }) => bot?.redis.slowDown(60) };
      const shares = [[...restarts, ...crashes, slow], [{ name: 'away for 30 s', ...away }]];
      const outcomes = (await Promise.all(shares.map((share) => runTrials(share)))).flat();
      expectNothingWrong('Redis slow, restarted, away', outcomes);
      expectAllDelivered(outcomes);
    },
    TRIALS_TIMEOUT_MS,
  );
});
