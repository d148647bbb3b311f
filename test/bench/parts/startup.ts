import { join } from 'node:path';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { freePort } from '../../../src/setup/free-port.ts';
import { startRedis } from '../../support/redis.ts';
import { compared, type Figure } from '../figures.ts';
import { openApprovals } from '../harness/approvals.ts';
import { startBot } from '../harness/bot.ts';
import { type BotWorld, withBot } from '../harness/bot-world.ts';
import { approvingClick } from '../harness/clicks.ts';
import type { Setup } from '../harness/contenders.ts';
import { closedLoop } from '../harness/requests.ts';
import { type Running, runProgram } from '../harness/run-program.ts';
import { PRODUCTION_BUILD } from '../programs.ts';
import { median } from '../statistics.ts';

/** A start is short, so more of them fit into a round. */
const STARTS_A_ROUND = 4;
const WAITING = 200;
const PORT = await freePort();

/** From the start of the process until it is ready, beside a process that only imports Bolt. */
export function startup(setup: Setup): Promise<Figure[]> {
  return withBot(setup, async (crashed) => {
    await crashWithWork(crashed);
    const empty = await startRedis({ appendOnly: setup.durable });
    const times: { bolt: number[]; fresh: number[]; afterCrash: number[] } = { bolt: [], fresh: [], afterCrash: [] };
    for (let i = 0; i < setup.rounds * STARTS_A_ROUND; i++) {
      if (i % STARTS_A_ROUND === 0) await setup.machine.look();
      times.bolt.push(await readyMs(importBolt(setup)));
      times.fresh.push(await readyMs(start(setup, crashed, empty.url)));
      times.afterCrash.push(await readyMs(start(setup, crashed, crashed.redis.url)));
    }
    await empty.stop();
    const bolt = { name: 'import of bolt', value: median(times.bolt), unit: 'ms', better: 'less' as const };
    const beside = (name: string, each: number[]) =>
      compared({ ...bolt, name, value: median(each) }, bolt, { atMost: 1.3 });
    return [bolt, beside('ready', times.fresh), beside('ready after a crash', times.afterCrash)];
  });
}

/** Leaves decisions in Redis that the crew hasn't taken yet. */
async function crashWithWork({ bot, stubs }: BotWorld): Promise<void> {
  const cards = await openApprovals(bot, stubs, WAITING);
  await stubs.tell('resumes-unavailable');
  await closedLoop(bot.port, cards.map(approvingClick), 8);
  await bot.kill();
}

async function readyMs(started: Promise<Running>): Promise<number> {
  const running = await started;
  await running.kill();
  return running.readyAfterMs;
}

function start({ cores }: Setup, { stubs }: BotWorld, redisUrl: string): Promise<Running> {
  return startBot({ stubs, redisUrl, core: cores.server, program: PRODUCTION_BUILD, port: PORT });
}

function importBolt({ cores }: Setup): Promise<Running> {
  const program = join(CHECKOUT, 'test/bench/baselines/import-bolt.mjs');
  return runProgram({ args: [program], env: {}, ready: 'Bolt is imported', core: cores.server });
}
