import { expect, it } from 'vitest';
import type { FaultEffect } from '../../src/sandbox/slack-workspace/runtime/faults.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { isAcknowledged } from './clicks.ts';
import { countsLine } from './counts-line.ts';
import type { FaultWorld } from './fault-world.ts';
import { type Outcome, runSideBySide, type Trial } from './run-trials.ts';
import { CLAIMS_END_SECONDS } from './settle.ts';

const WORLDS = 3;
const BOTS = 2;

/** What may become of the posting of a reminder or an escalation. */
const EFFECTS: Record<string, FaultEffect | 'killed before' | 'killed after'> = {
  'a connection that breaks after': { kind: 'apply-then-drop' },
  'a bot that dies after': 'killed after',
  'an error that may have done something': { kind: 'error', error: 'internal_error' },
  'a bot that dies before': 'killed before',
  'a connection that breaks before': { kind: 'drop' },
  'a server error': { kind: 'status', status: 500 },
  'a rate limit': { kind: 'rate-limited', retryAfterSeconds: 1 },
  'no answer to what was heard': { kind: 'silence', apply: true },
};

function alertTrials(): Trial[] {
  return Object.entries(EFFECTS).flatMap(([name, effect]) =>
    [1, 2].map((nth): Trial => {
      return {
        name: `${name} at alert ${nth}`,
        policy: 'reminding',
        plan: { rejections: 0 },
        arm(world) {
          const fault = { method: 'chat.postMessage', containing: '"alert:', nth };
          world.slack.faults.add({ ...fault, effect: typeof effect === 'string' ? killing(world, effect) : effect });
        },
        tend: startDead,
      };
    }),
  );
}

function killing({ bots }: FaultWorld, when: 'killed before' | 'killed after'): FaultEffect {
  const meanwhile = async () => {
    await Promise.all(bots.map((bot) => bot.kill()));
  };
  return { kind: when === 'killed before' ? 'drop' : 'apply-then-drop', meanwhile };
}

async function startDead({ bots }: FaultWorld): Promise<void> {
  for (const bot of bots.filter((each) => !each.isAlive())) await bot.start();
}

function expectNothingWrong(what: string, outcomes: Outcome[]): void {
  console.info(`${what}: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`);
  expect(outcomes.map(({ report }) => report).join('')).toBe('');
}

it.concurrent.each(['told of', 'not told of'] as const)(
  'nobody is mentioned twice, whatever becomes of a reminder (messages are %s)',
  async (messagesAre) => {
    const outcomes = await runSideBySide(WORLDS, alertTrials(), { bots: BOTS, messagesAre });
    expectNothingWrong(`reminders (messages are ${messagesAre})`, outcomes);
    expect(outcomes.filter(({ findings }) => findings.reminders === 0).map(({ name }) => name)).toEqual([]);
  },
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'a decision is sent whose window ended while no bot was alive, and one that was undone is not',
  async () => {
    let kills = 0;
    const trials = ['reject', 'approve'].map((action): Trial => {
      let isDue = true;
      return {
        name: `killed while the decision to ${action} could be undone`,
        policy: 'long-undo',
        arm() {},
        async tend({ bots, clock }, { clicks, crewChannel }) {
          // Ana decides after the first decision of a round was undone.
          const own = clicks.filter((click) => click.action === action && click.by === crewChannel.ana.id);
          if (!isDue || !own.some(isAcknowledged)) return;
          isDue = false;
          kills += 1;
          await Promise.all(bots.map((bot) => bot.kill()));
          clock.putForward(CLAIMS_END_SECONDS);
          await Promise.all(bots.map((bot) => bot.start()));
        },
      };
    });
    expectNothingWrong('killed inside the window', await runSideBySide(WORLDS, trials, { bots: BOTS }));
    expect(kills).toBe(trials.length);
  },
  TRIALS_TIMEOUT_MS,
);
