import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, goalOf } from '../figures.ts';
import { makeApprovals, newRequests, openApprovals } from '../harness/approvals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClick } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { openLoop } from '../harness/requests.ts';

/** How much is measured; the counts are the same for any. */
export interface RedisAmounts {
  idleS: number;
  pending: number;
  decisions: number;
}

const AMOUNTS: RedisAmounts = { idleS: 20, pending: 500, decisions: 100 };
const CLICKS_PER_SECOND = 20;
/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;

/** What the bot asks of Redis, by the server's own counts. */
export function redis(setup: Setup, amounts = AMOUNTS): Promise<Figure[]> {
  return withBot(setup, async (world) => {
    const idle = await idleCommands(world, amounts);
    const bytes = await bytesOfOne(world, amounts);
    const decision = await costOfDecision(world, amounts);
    return [
      { ...idle, goal: goalOf(idle.value, { atMost: 5 }) },
      { ...bytes, goal: goalOf(bytes.value, { atMost: 2_200 }) },
      ...decision,
    ];
  });
}

/** Of a bot that has nothing to do. */
async function idleCommands({ stubs, meter }: BotWorld, { idleS }: RedisAmounts) {
  await stubs.untilQuiet(QUIET_MS);
  const before = await meter.counts();
  await pause(idleS * 1_000);
  const { commands } = await meter.counts();
  const value = (commands - before.commands) / idleS;
  return { name: 'idle commands', value, unit: 'commands/s', better: 'less' } as const;
}

/** Once everything is posted; each is of an execution of its own and has an output of 4 KB. */
async function bytesOfOne({ bot, stubs, meter }: BotWorld, { pending }: RedisAmounts) {
  const before = await meter.bytes();
  await makeApprovals(bot, stubs, newRequests(bot, pending));
  await stubs.untilQuiet(QUIET_MS);
  const value = ((await meter.bytes()) - before) / pending;
  return { name: 'pending approval', value, unit: 'bytes', better: 'less' } as const;
}

/** From quiet to quiet: looks for due work, polls and the updates that follow are included. */
async function costOfDecision({ bot, stubs, meter }: BotWorld, { decisions }: RedisAmounts): Promise<Figure[]> {
  const cards = await openApprovals(bot, stubs, decisions);
  await stubs.untilQuiet(QUIET_MS);
  await stubs.tell('forget');
  const before = await meter.counts();
  await openLoop(bot.port, cards.map(approvingClick), CLICKS_PER_SECOND);
  await stubs.until('every decision', ({ resumed }) => resumed >= decisions);
  await stubs.untilQuiet(QUIET_MS);
  const after = await meter.counts();
  const scripts = (after.scripts - before.scripts) / decisions;
  const commands = (after.commands - before.commands) / decisions;
  return [
    {
      name: 'scripts a decision',
      value: scripts,
      unit: 'scripts',
      better: 'less',
      goal: goalOf(scripts, { atMost: 8 }),
    },
    { name: 'commands a decision', value: commands, unit: 'commands', better: 'less' },
  ];
}
