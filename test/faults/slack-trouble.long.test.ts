import { expect, it } from 'vitest';
import type { FaultEffect } from '../../src/sandbox/slack-workspace/runtime/faults.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { runSideBySide, type Trial } from './run-trials.ts';
import { offers, roundOf } from './scenario-view.ts';

/** How a call of the main job may fail. */
const EFFECTS: Record<string, FaultEffect> = {
  'a rate limit': { kind: 'rate-limited', retryAfterSeconds: 1 },
  'a server error': { kind: 'status', status: 500 },
  'an error that may have done something': { kind: 'error', error: 'internal_error' },
  'a connection that breaks before': { kind: 'drop' },
  'a connection that breaks after': { kind: 'apply-then-drop' },
};

const WORLDS = 5;

const CALLS = {
  'chat.postMessage': 5,
  'chat.update': 6,
  'views.open': 2,
  'views.update': 1,
  'conversations.info': 1,
  'users.info': 1,
};

it.concurrent(
  'nothing is lost or asked twice, whatever Slack answers to any call',
  async () => {
    const all = Object.entries(CALLS).flatMap(([method, count]) =>
      Array.from({ length: count }, (_, i) => i + 1).flatMap((nth) =>
        Object.entries(EFFECTS).map(([name, effect]) => ({ method, nth, name, effect })),
      ),
    );
    const trials = all.map(({ method, nth, name, effect }): Trial => {
      return {
        name: `${name} at ${method} number ${nth}`,
        arm: ({ slack }) => slack.faults.add({ method, nth, effect }),
      };
    });
    const outcomes = await runSideBySide(WORLDS, trials);
    console.info(
      `Slack in trouble: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`,
    );
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
  },
  TRIALS_TIMEOUT_MS,
);

it.concurrent(
  'a deleted card comes back by itself, and costs no decision',
  async () => {
    const deleted: string[] = [];
    const trials = [1, 2].map((round): Trial => {
      const name = `the card of round ${round} is deleted`;
      return {
        name,
        arm() {},
        async tend(world, { crewChannel }) {
          if (deleted.includes(name)) return;
          const { messages } = await crewChannel.jon.snapshot();
          const card = messages[crewChannel.channelId]?.find(
            (each) => offers(each, 'Approve') && roundOf(each) === round,
          );
          if (!card) return;
          world.deleteMessage({ channel: crewChannel.channelId, ts: card.ts });
          deleted.push(name);
        },
      };
    });
    const outcomes = await runSideBySide(1, trials);
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
    expect(deleted).toHaveLength(trials.length);
  },
  TRIALS_TIMEOUT_MS,
);

/** Outages that last until a person ends them. */
const STATES = {
  'an archived channel': 'is_archived',
  'a revoked token': 'token_revoked',
  'an app that was switched off': 'account_inactive',
};

it.concurrent(
  'decisions made during a longer outage of Slack are shown after it',
  async () => {
    const refusals = Object.entries(STATES).map(([name, error]): Trial => {
      return {
        name,
        arm({ slack }) {
          for (const method of ['chat.postMessage', 'chat.update'])
            slack.faults.add({ method, nth: 2, times: 2, effect: { kind: 'error', error } });
        },
      };
    });
    let looks = 0;
    const removal: Trial = {
      name: 'the bot is removed from the channel, and invited again',
      arm() {},
      async tend({ bots: [bot] }, { crewChannel, hasDecided }) {
        if (!hasDecided || bot === undefined) return;
        looks += 1;
        if (looks === 1) await crewChannel.jon.command(crewChannel.channel, '/remove @signoff');
        if (looks === 4) await crewChannel.jon.command(crewChannel.channel, '/invite @signoff');
      },
    };
    const outcomes = await runSideBySide(2, [...refusals, removal]);
    console.info(
      `longer troubles: ${outcomes.length} scenarios, ${countsLine(outcomes.map(({ findings }) => findings))}`,
    );
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
  },
  TRIALS_TIMEOUT_MS,
);
