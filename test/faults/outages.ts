import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import type { BotChild } from './bot-child.ts';
import { gatherEvidence } from './evidence.ts';
import type { FaultWorld } from './fault-world.ts';
import type { RedisOfBots } from './redis-of-bots.ts';
import type { RedisProxy } from './redis-proxy.ts';
import type { Trial } from './run-trials.ts';
import type { Scenario } from './scenario.ts';

/** Longer than a bot asks the store for anything, so that whatever is under way fails. */
const AWAY_MS = 2_500;
/** What a bot logs of the click that it stored. */
const DECIDED = '"status":"decided"';
/** After the bot that had it was killed. On a busy machine it may have been sent by then, and nothing is left to claim. */
const CLAIMED_WITHIN_MS = 8_000;

/** Nobody's next click may wake what waits: it goes on by itself, or not before a lease has ended. */
const UNAIDED = { policy: 'undoable', clock: 'left alone' } as const;

/** What happens to the node that has the execution. */
const OUTAGES: Record<string, (place: ReturnType<RedisOfBots['placeOf']>) => Promise<void>> = {
  async 'is killed and restarted'({ node }) {
    await node.kill();
    await pause(AWAY_MS);
    await node.restart();
  },
  async hangs({ node }) {
    node.pause();
    await pause(AWAY_MS);
    node.resume();
  },
  'can not be reached': ({ proxy }) => unreachable([proxy]),
};

/** What comes after a reply that was lost. */
const AFTERWARDS: Record<string, (redis: RedisOfBots) => Promise<void>> = {
  'the connection breaks': async () => {},
  'the connection hangs': () => pause(AWAY_MS),
  'no node can be reached': ({ proxies }) => unreachable(proxies),
};

async function unreachable(proxies: readonly RedisProxy[]): Promise<void> {
  for (const proxy of proxies) proxy.shut();
  await pause(AWAY_MS);
  for (const proxy of proxies) proxy.open();
}

/** The execution that is decided about. */
export async function refOf(world: FaultWorld, scenario: Scenario): Promise<string> {
  const [chain] = (await gatherEvidence(world, [scenario])).chains;
  if (!chain) throw new Error('nobody knows what was decided');
  return chain.ref;
}

/** A node is away from the moment on at which somebody has decided, and the decision is still to be sent. */
export function outageTrials(redis: RedisOfBots): Trial[] {
  return Object.entries(OUTAGES).map(([kind, happens]) =>
    onceDecided(`the node of a decision ${kind}`, async (world, scenario) => {
      return { meanwhile: happens(redis.placeOf(await refOf(world, scenario))) };
    }),
  );
}

/** The bot that took a decision is killed. Who claims what it left never learns that it has. */
export function lostClaimTrials(redis: RedisOfBots): Trial[] {
  return Object.entries(AFTERWARDS).map(([kind, happens]) =>
    onceDecided(`the reply of a claim is lost, and ${kind}`, async (world, scenario) => {
      const { bots } = world;
      const taker = await takerOf(bots, await refOf(world, scenario));
      const countdown = { left: 1 };
      const isOver = new Promise<void>((resolve) => {
        const meanwhile = () => happens(redis).finally(resolve);
        for (const proxy of redis.proxies) proxy.arm({ at: 'claim', countdown, when: 'after', meanwhile });
      });
      await taker.kill();
      if (bots.length === 1) await taker.start();
      await Promise.race([isOver, pause(CLAIMED_WITHIN_MS)]);
      return {};
    }),
  );
}

/** Any bot may get a request while connections of one that was killed are still remembered. */
function takerOf(bots: readonly BotChild[], ref: string): Promise<BotChild> {
  const isOfClick = (line: string) => line.includes(ref) && line.includes(DECIDED);
  return eventually(
    async () => bots.find((bot) => bot.printed().split('\n').some(isOfClick)),
    async () => 'no bot says that it took the decision',
  );
}

/** Whoever started something was told to try again, and the second try finds what the first one has stored. */
export function lostStartTrial(redis: RedisOfBots): Trial {
  return {
    ...UNAIDED,
    name: 'the reply of what stores a start is lost, and no node can be reached',
    arm() {
      const countdown = { left: 1 };
      const meanwhile = () => unreachable(redis.proxies);
      for (const proxy of redis.proxies) proxy.arm({ at: 'record', countdown, when: 'after', meanwhile });
    },
  };
}

/** @param happen may leave something going on while people try to go on */
export function onceDecided(
  name: string,
  happen: (world: FaultWorld, scenario: Scenario) => Promise<{ meanwhile?: Promise<void> }>,
): Trial {
  let happening: Promise<void> | undefined;
  let isDue = true;
  return {
    ...UNAIDED,
    name,
    arm: () => {},
    async tend(world, scenario) {
      if (!isDue || !scenario.hasDecided) return;
      isDue = false;
      happening = (await happen(world, scenario)).meanwhile;
    },
    async end() {
      await happening;
    },
  };
}
