import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import type { FaultWorld } from './fault-world.ts';
import { killAt } from './kill-trials.ts';
import { runTogether, type Trial } from './run-trials.ts';

/** Dismissed connections end while people still decide. */
const FOUR_BOTS = { bots: 4, slackMode: 'socket', dismissalMs: 700 } as const;

/** By then the next click is on its way, or a bot is at work on it. */
const DELAYS_MS = [0, 5, 10, 20, 40];
const LOOK_EVERY_MS = 10;

/** What happens to the connections, or to a bot, while people act. */
const TROUBLES = {
  warned: ({ slack }: FaultWorld) => slack.sockets.warn(),
  refreshed: ({ slack }: FaultWorld) => slack.sockets.refresh(),
  cut: ({ slack }: FaultWorld) => slack.sockets.cut(),
  killed: ({ bots: [bot] }: FaultWorld) => bot?.kill(),
};

type Trouble = keyof typeof TROUBLES;

it(
  'four bots in Socket Mode lose nothing and do nothing twice while their connections end and bots are killed',
  async () => {
    const happened: Trouble[] = [];
    /** Each time after so many actions of the people in this scenario. */
    const troubled = (trouble: Trouble, due: number[]): Trial => ({
      name: trouble,
      arm: () => {},
      async tend(world, { actionLog }) {
        // People try again at once where Slack reaches no bot, and leave no time for any event of a connection.
        await pause(LOOK_EVERY_MS);
        await expect.poll(() => world.slack.sockets.connections()).toBeGreaterThan(0);
        if (actionLog.length < (due[0] ?? Number.POSITIVE_INFINITY)) return;
        due.shift();
        happened.push(trouble);
        const delayMs = DELAYS_MS[randomInt(DELAYS_MS.length)];
        void pause(delayMs).then(() => TROUBLES[trouble](world));
      },
    });
    const outcomes = await runTogether(
      [
        { ...troubled('warned', [1, 3, 5]), policy: 'quorum' },
        { ...troubled('refreshed', [2, 4, 6]), policy: 'undo' },
        { ...troubled('cut', [1, 4]), policy: 'everybody' },
        { ...troubled('killed', [3, 6]), policy: 'quorum' },
        // This one also starts the others that were killed.
        killAt({ to: 'redis', nth: 40, when: 'after' }, 'quorum', () => happened.push('killed')),
      ],
      FOUR_BOTS,
    );
    console.info(`four bots in Socket Mode: ${countsLine(outcomes.map(({ findings }) => findings))}`);
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
    expect(outcomes.every(({ findings }) => findings.decisions > 0)).toBe(true);
    const times = (trouble: Trouble) => happened.filter((each) => each === trouble).length;
    expect([times('warned'), times('refreshed'), times('cut'), times('killed')]).toEqual([3, 3, 2, 3]);
  },
  TRIALS_TIMEOUT_MS,
);
