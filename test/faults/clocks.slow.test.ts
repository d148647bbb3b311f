import { expect, it } from 'vitest';
import { someOfEach } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { runTrials, type Trial } from './run-trials.ts';

const MINUTES = 60_000;

it('bots whose clocks differ by minutes share the work', async () => {
  const changes = someOfEach([5, 25, 45], () => ['any']);
  const trials = changes.map((nth): Trial => {
    return {
      name: `killed at change ${nth} with wrong clocks`,
      arm: ({ bots }) => {
        const countdown = { left: nth };
        for (const bot of bots) bot.redis.arm({ countdown, when: 'after', meanwhile: () => bot.kill() });
      },
    };
  });
  const outcomes = await runTrials(trials, { bots: 2, clocksWrongByMs: [-4 * MINUTES, 4 * MINUTES] });
  console.info(`clocks apart: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
});
