import { expect, it } from 'vitest';
import { countsLine } from './counts-line.ts';
import { runTrials, type Trial } from './run-trials.ts';

const MINUTES = 60_000;

it('bots whose clocks differ by minutes share the work', async () => {
  const trials = Array.from({ length: 3 }, (_, i): Trial => {
    return {
      name: `killed at change ${20 * i + 5} with wrong clocks`,
      arm: ({ bots }) => {
        const countdown = { left: 20 * i + 5 };
        for (const bot of bots) bot.redis.arm({ countdown, when: 'after', meanwhile: () => bot.kill() });
      },
    };
  });
  const outcomes = await runTrials(trials, { bots: 2, clocksWrongByMs: [-4 * MINUTES, 4 * MINUTES] });
  console.info(`clocks apart: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
});
