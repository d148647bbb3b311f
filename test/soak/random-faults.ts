import { setTimeout as pause } from 'node:timers/promises';
import type { FaultEffect } from '../../src/sandbox/slack-workspace/runtime/faults.ts';
import type { BotChild } from '../faults/bot-child.ts';
import type { FaultWorld } from '../faults/fault-world.ts';
import { CLAIMS_END_SECONDS } from '../faults/settle.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A fault with its description. `happen` resolves when it is over. */
export interface RandomFault {
  what: string;
  happen(world: FaultWorld): Promise<void>;
}

const SLACK_METHODS = ['chat.postMessage', 'chat.update', 'views.open', 'views.update', 'conversations.info', '*'];
const SLACK_EFFECTS: readonly FaultEffect[] = [
  { kind: 'rate-limited', retryAfterSeconds: 1 },
  { kind: 'status', status: 500 },
  { kind: 'error', error: 'internal_error' },
  { kind: 'drop' },
  { kind: 'apply-then-drop' },
  { kind: 'delay', delayMs: 400 },
];
const ROUTES = ['inputs', 'kickoff', 'status', 'resume', 'resume', 'kickoff'] as const;
const ANSWERS = [
  { respond: { status: 500 }, apply: false },
  { respond: { status: 500 }, apply: true },
  { respond: { status: 503, headers: { 'retry-after': '1' } } },
  { respond: { status: 503 }, apply: true },
  { respond: { status: 429, headers: { 'retry-after': '1' } } },
  { respond: 'disconnect', apply: false },
  { respond: 'disconnect', apply: true },
  { delayMs: 500 },
] as const;
const WEBHOOKS = ['human-input', 'task', 'step', 'crew'] as const;
const WEBHOOK_EFFECTS = ['drop', 'swap', { duplicates: 1 }, { duplicates: 2 }, { delayMs: 1_500 }] as const;

/** Chooses the next fault. All random choices are made here, so a seed always leads to the same ones. */
export function nextFault(random: SeededRandom, bots: number): RandomFault {
  const kind = random.oneOf([
    ...['kill', 'kill', 'kill', 'all-away', 'stop', 'slack', 'slack', 'slack', 'crew', 'crew', 'webhook', 'webhook'],
    ...['cut', 'cut', 'kill-at-change', 'kill-at-change', 'slow', 'unreachable', 'restart-redis'],
  ] as const);
  const nth = random.between(1, 12);
  const when = random.oneOf(['before', 'after'] as const);
  const which = random.between(0, bots - 1);
  const awayMs = random.between(50, 1_500);
  switch (kind) {
    case 'kill':
      return {
        what: `bot ${which + 1} is killed for ${awayMs} ms`,
        happen: (world) => downFor(botOf(world, which), 'kill', awayMs),
      };
    case 'stop':
      return {
        what: `bot ${which + 1} is stopped for ${awayMs} ms`,
        happen: (world) => downFor(botOf(world, which), 'stop', awayMs),
      };
    case 'all-away':
      return { what: 'all bots are killed for a minute', happen: allAway };
    case 'kill-at-change':
      return {
        what: `bot ${which + 1} is killed just ${when} change ${nth}`,
        happen: async (world) => {
          const bot = botOf(world, which);
          await new Promise<void>((resolve) => {
            bot.redis.arm({ countdown: { left: nth }, when, meanwhile: () => bot.kill().then(resolve) });
            setTimeout(resolve, 5_000).unref();
          });
          await bot.start();
        },
      };
    case 'cut':
      return {
        what: `the connection of bot ${which + 1} to Redis is cut just ${when} change ${nth}`,
        happen: async (world) => botOf(world, which).redis.arm({ countdown: { left: nth }, when }),
      };
    case 'slow':
      return {
        what: `Redis is slow for bot ${which + 1}`,
        happen: (world) => slowFor(botOf(world, which), 100, 2 * awayMs),
      };
    case 'unreachable':
      return {
        what: `Redis can't be reached by bot ${which + 1} for ${2 * awayMs} ms`,
        async happen(world) {
          const { redis } = botOf(world, which);
          redis.shut();
          await pause(2 * awayMs);
          redis.open();
        },
      };
    case 'restart-redis':
      return { what: 'Redis is restarted', happen: ({ redis }) => redis.restart() };
    case 'slack': {
      const fault = { method: random.oneOf(SLACK_METHODS), nth, effect: random.oneOf(SLACK_EFFECTS) };
      return { what: `Slack: ${JSON.stringify(fault)}`, happen: async ({ slack }) => slack.faults.add(fault) };
    }
    case 'crew': {
      const fault = { route: random.oneOf(ROUTES), skip: nth % 4, ...random.oneOf(ANSWERS) };
      return { what: `crew: ${JSON.stringify(fault)}`, happen: ({ crews }) => crews.sandbox.addFault(fault) };
    }
    case 'webhook': {
      const fault = { webhook: random.oneOf(WEBHOOKS), skip: nth, effect: random.oneOf(WEBHOOK_EFFECTS) };
      return { what: `crew: ${JSON.stringify(fault)}`, happen: ({ crews }) => crews.sandbox.addFault(fault) };
    }
  }
}

function botOf({ bots }: FaultWorld, which: number): BotChild {
  const bot = bots[which];
  if (!bot) throw new RangeError(`there is no bot ${which}`);
  return bot;
}

async function downFor(bot: BotChild, how: 'kill' | 'stop', awayMs: number): Promise<void> {
  await bot[how]();
  await pause(awayMs);
  await bot.start();
}

/** While no bot is alive, Redis's clock may be put forward: no call is in progress that could outlive its claim. */
async function allAway({ bots, clock }: FaultWorld): Promise<void> {
  await Promise.all(bots.map((bot) => bot.kill()));
  clock.putForward(CLAIMS_END_SECONDS);
  await Promise.all(bots.map((bot) => bot.start()));
}

async function slowFor({ redis }: BotChild, delayMs: number, forMs: number): Promise<void> {
  redis.slowDown(delayMs);
  await pause(forMs);
  redis.slowDown(0);
}
