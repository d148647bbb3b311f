import { setTimeout as pause } from 'node:timers/promises';
import { startExecution } from '../../../src/core/execution/start.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { ok } from '../../../src/core/values/result.ts';
import { closeRedis, connectRedis, pingRedis } from '../../../src/redis/connection.ts';
import { createExecutionStore } from '../../../src/redis/executions.ts';
import { startRedis } from '../../support/redis.ts';
import { type Figure, goalOf } from '../figures.ts';
import { makeApprovals, newRequests, openApprovals } from '../harness/approvals.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClick } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { BESIDE_LEDGER, createRedisMeter, type RedisCounts, UNSEALED } from '../harness/redis-counts.ts';
import { openLoop } from '../harness/requests.ts';

/** How much is measured; the counts are the same for any. */
interface RedisAmounts {
  pending: number;
  decisions: number;
}

const AMOUNTS: RedisAmounts = { pending: 500, decisions: 100 };
/** As often as the sealer looks for new entries. */
const IDLE_MS = 60_000;
/** A bot looks once after its start for what those who are away have handed over. */
const STARTED_MS = 12_000;
const CLICKS_PER_SECOND = 20;
const AT_ONCE = 50;
/** Longer than the bot waits before it updates the thread's first message. */
const QUIET_MS = 4_000;
/** Until each decision has been followed by the first polls of its run and by every update of its messages. */
const AFTERWARDS_MS = 10_000;

/** What the bot asks of Redis, by the server's own counts. */
export async function redis(setup: Setup): Promise<Figure[]> {
  return [await idleCommands(setup), ...(await busyCounts(setup))];
}

/** Of a bot that has something to do. */
export async function busyCounts(setup: Setup, amounts = AMOUNTS): Promise<Figure[]> {
  const figures = await withBot(setup, async (world) => [
    ...(await bytesOfOne(world, amounts)),
    ...(await costOfDecision(world, amounts)),
  ]);
  return [...figures, await scriptsAtOnce()];
}

/** Changes that one process makes to one run at the same moment, as for what a crew reports of it: they share their writes. */
async function scriptsAtOnce(): Promise<Figure> {
  const server = await startRedis();
  const meter = createRedisMeter(server.port);
  const redis = connectRedis(server.url, { onTrouble: () => {} });
  try {
    await pingRedis(redis);
    const store = createExecutionStore(redis, { retentionDays: 1, auditDays: 1, replication: null });
    const by = { id: 'U0BENCH', name: 'Bench' };
    const start = { ref: 'at-once', crew: 'bench', channel: 'C0BENCH', by, inputs: {}, form: null };
    await store.create(start.ref, (now) => startExecution(start, now));
    const before = await meter.counts();
    const change = (execution: Execution) => ok({ ...execution, hop: execution.hop + 1 });
    await Promise.all(Array.from({ length: AT_ONCE }, () => store.change(start.ref, change)));
    const value = (await meter.counts()).scripts - before.scripts;
    const name = `${AT_ONCE} changes of a run at once`;
    return { name, value, unit: 'scripts', better: 'less', goal: goalOf(value, { atMost: 3 }) };
  } finally {
    meter.close();
    await closeRedis(redis);
    await server.stop();
  }
}

/** Of a bot that has nothing to do. */
export function idleCommands(setup: Setup): Promise<Figure> {
  return withBot(setup, async ({ stubs, meter }) => {
    await stubs.untilQuiet(STARTED_MS);
    // What a bot enters when it starts, as if it were sealed already.
    await meter.remove(UNSEALED);
    const before = await meter.counts();
    await pause(IDLE_MS);
    const { commands } = await meter.counts();
    const value = ((commands - before.commands) / IDLE_MS) * 1_000;
    return { name: 'idle commands', value, unit: 'commands/s', better: 'less', goal: goalOf(value, { atMost: 5 }) };
  });
}

/** Once everything is posted; each is of an execution of its own and has an output of 4 KB. */
async function bytesOfOne({ bot, stubs, meter }: BotWorld, { pending }: RedisAmounts): Promise<Figure[]> {
  const before = await meter.bytes(BESIDE_LEDGER);
  await makeApprovals(bot, stubs, newRequests(bot, pending));
  await stubs.untilQuiet(QUIET_MS);
  const value = ((await meter.bytes(BESIDE_LEDGER)) - before) / pending;
  return [
    {
      ...{ name: 'pending approval', value, unit: 'bytes', better: 'less', goal: goalOf(value, { atMost: 4_000 }) },
      note: 'without its entry in the ledger',
    },
  ];
}

/** The first polls, the updates that follow and looks for due work are included. */
async function costOfDecision({ bot, stubs, meter }: BotWorld, { decisions }: RedisAmounts): Promise<Figure[]> {
  const cards = await openApprovals(bot, stubs, decisions);
  await stubs.untilQuiet(QUIET_MS);
  await stubs.tell('forget');
  const before = await meter.counts();
  await openLoop(bot.port, cards.map(approvingClick), CLICKS_PER_SECOND);
  await stubs.until('every decision', ({ resumed }) => resumed >= decisions);
  await pause(AFTERWARDS_MS);
  const after = await meter.counts();
  const counted = (count: keyof RedisCounts, atMost?: number): Figure => {
    const value = (after[count] - before[count]) / decisions;
    const figure: Figure = { name: `${count} a decision`, value, unit: count, better: 'less' };
    return atMost === undefined ? figure : { ...figure, goal: goalOf(value, { atMost }) };
  };
  return [counted('scripts', 10), counted('writes', 4), counted('commands')];
}
