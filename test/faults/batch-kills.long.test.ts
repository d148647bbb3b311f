import { expect, it } from 'vitest';
import type { Entry } from '../../src/core/ledger/entry.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import type { BotChild } from './bot-child.ts';
import type { CrewChannel } from './crew-channels.ts';
import { gatherEvidence, type Posted } from './evidence.ts';
import { type FaultWorld, startFaultWorld } from './fault-world.ts';
import { disarmAll } from './run-trials.ts';

/** How many requests are approved together. */
const SIZE = 3;

/** The changes of Redis that the bot is killed at, counted from the click; from the second one on, some are approved. */
const CHANGES = [1, 2, 3, 4, 5, 6];

const POINTS = CHANGES.flatMap((nth) => (['before', 'after'] as const).map((when) => ({ nth, when })));

it(
  'decides each of several requests once, killed between them and sent again',
  async () => {
    const count = SIZE * POINTS.length;
    const policies = Array(count).fill('everybody');
    const world = await startFaultWorld({ crewChannels: count, policies, ackLimitMs: 30_000 });
    try {
      const [bot] = world.bots;
      if (!bot) throw new Error('there is a bot');
      let before = 0;
      for (const [i, point] of POINTS.entries()) {
        await bot.start();
        const channels = world.crewChannels.slice(i * SIZE, (i + 1) * SIZE);
        before += await approveThroughKill(world, { bot, channels, ...point });
      }
      // Otherwise no kill was between two of them.
      expect(before).toBeGreaterThan(0);
      expect(before).toBeLessThan(count);
    } finally {
      await world.stop();
    }
  },
  TRIALS_TIMEOUT_MS,
);

interface Trial {
  bot: BotChild;
  /** Of the crews that ask. */
  channels: readonly CrewChannel[];
  nth: number;
  when: 'before' | 'after';
}

/**
 * Jon approves a request of each crew at once; his bot dies meanwhile, and he tries again once it is back. Resolves to how many
 * were approved before it died.
 */
async function approveThroughKill(world: FaultWorld, { bot, channels, nth, when }: Trial): Promise<number> {
  const topic = `tea-${nth}-${when}`;
  const jon = await list(channels, topic);
  let isKilled = false;
  const kill = async () => {
    await bot.kill();
    isKilled = true;
  };
  bot.redis.arm({ countdown: { left: nth }, when, meanwhile: kill });
  // Slack shows an error, since nothing was acknowledged, unless all was stored before.
  await jon.submit().catch(() => {});
  await expect.poll(() => isKilled, { timeout: 30_000 }).toBe(true);
  await disarmAll(world);
  await bot.start();
  if (modalText(await jon.seesModal(/./)).includes(`Approve ${SIZE}`)) await jon.submit();
  const said = modalText(await jon.seesModal(/continues|already/));
  // Each is named, as approved now or before.
  for (const { crew } of channels) expect(said).toMatch(new RegExp(`${crew}\\* · .*: (approved|You had already)`));
  await jon.closeModal();
  expect(await decidedBy(world, topic)).toEqual(channels.map(() => [jon.id]));
  return said.match(/You had already/g)?.length ?? 0;
}

/** Starts the crews, ticks what they ask for in Jon's Home, and opens the list of it. */
async function list(channels: readonly CrewChannel[], topic: string) {
  const jon = channels[0]?.jon;
  if (!jon) throw new Error('there is a crew');
  for (const { maria, channel, crew } of channels) {
    await maria.command(channel, '/kickoff', `${crew} topic=${topic}`);
    const root = await maria.sees(channel, topic);
    await maria.seesInThread(root, 'Approval needed');
  }
  await jon.openHome();
  await jon.click('Select all on this page', { in: 'home' });
  await jon.seesHome(`${SIZE} selected`);
  await jon.click(`Approve ${SIZE} selected…`, { in: 'home' });
  await jon.seesModal(`Approve ${SIZE}`);
  return jon;
}

/** Of each run about a topic, the people who have decided its first request. */
async function decidedBy(world: FaultWorld, topic: string): Promise<string[][]> {
  const isRoot = ({ threadTs, text }: Posted) => threadTs === undefined && text.includes(topic);
  const { chains } = await gatherEvidence(world, [{ isRoot }]);
  return chains.map(({ entries }) => entries.flatMap(({ facts }) => deciderOf(facts)));
}

function deciderOf(facts: Entry['facts']): string[] {
  if (!('undo_ms' in facts) || facts.approval !== '1' || facts.by === null) return [];
  return [facts.by.by];
}
