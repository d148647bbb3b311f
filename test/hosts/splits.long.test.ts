import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PersonProblemError } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { isObject, objectAt, parseJson, stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import type { PolicyName } from '../faults/policies.ts';
import { Scenario } from '../faults/scenario.ts';
import { offers } from '../faults/scenario-view.ts';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { faultsIn, NO_FAULTS } from './figures.ts';
import { chainsOf, lookAt, patienceMs, runFaults } from './history.ts';
import { cutOff, death, machineOf, plannedFailover } from './host-faults.ts';
import { type HostsWorld, startHostsWorld } from './hosts-world.ts';
import { needsHosts } from './network.ts';

const READY_WITHIN_MS = 10_000;
const ANSWERED_WITHIN_MS = 10_000;
const STEP_MS = 100;
/** Longer than a decision can be taken back with the policy `undoable`, and than both bots need to look for what is due. */
const BOTH_DUE_MS = 8_000;
const DEATH_MS = 6_000;

/** Plays in a world with one crew, whose bots find their Redis by Sentinel. */
async function withWorld(
  { minReplicas, policy = 'everybody' }: { minReplicas: number; policy?: PolicyName },
  play: (world: HostsWorld) => Promise<void>,
): Promise<void> {
  const world = await startHostsWorld({ topology: 'Sentinel', minReplicas, policies: [policy] });
  try {
    await play(world);
  } finally {
    await world.stop();
  }
}

function scenarioIn({ crewChannels: [crewChannel], ...world }: HostsWorld, topic = 'tea'): Scenario {
  if (!crewChannel) throw new Error('there is no crew');
  return new Scenario({ ...world, crewChannels: [crewChannel] }, crewChannel, { topic, start: 'form', rejections: 0 });
}

/** People go on until this is so. */
async function goOn(scenario: Scenario, what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  await eventually(
    async () => {
      if (await isSo()) return true;
      await scenario.step();
      await pause(STEP_MS);
      return undefined;
    },
    async () => `never: ${what}\n${scenario.actionLog.join('\n')}\n${await scenario.screen()}`,
  );
}

/** The master and the first bot, which is the only one that Slack and the crews reach, are left to themselves. */
async function splitOff(world: HostsWorld): Promise<{ untilPromoted(): Promise<void> }> {
  const master = await machineOf(world, { kind: 'master', turn: 0 });
  const [bot] = world.botMachines;
  if (!bot) throw new Error('there is no bot');
  await cutOff(world, [master.host, bot.host]);
  return {
    async untilPromoted() {
      await eventually(
        async () => ((await world.redisHosts.masters()).some(({ host }) => host !== master.host) ? true : undefined),
        async () => 'no replica was promoted',
      );
    },
  };
}

async function untilReady(world: HostsWorld): Promise<void> {
  await eventually(
    async () => {
      const answers = await Promise.all(world.botMachines.map((bot) => bot.readiness()));
      return answers.every((status) => status === 200) ? true : undefined;
    },
    async () => 'a bot is not ready',
  );
}

const resumesIn = async ({ crews }: HostsWorld) =>
  (await crews.sandbox.requests()).filter(({ route }) => route === 'resume').length;

describe.concurrent('when the network splits', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('a decision that a replica has confirmed reaches the crew once, although a bot on either side finds it due', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 1, policy: 'undoable' }, async (world) => {
      const scenario = scenarioIn(world);
      await goOn(scenario, 'somebody has decided', () => scenario.hasDecided);
      const split = await splitOff(world);
      await split.untilPromoted();
      await pause(BOTH_DUE_MS);
      await world.network.heal();
      await world.redisHosts.untilWhole();
      await goOn(scenario, 'the run ends', () => scenario.isDone);
      expect(await resumesIn(world)).toBe(1);
      expect(faultsIn(await lookAt(world), [scenario], await chainsOf(world))).toEqual(NO_FAULTS);
    });
  });

  it('a split that leaves the master and one replica with a majority of the sentinels loses nothing, and no other is promoted', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 1, policy: 'undoable' }, async (world) => {
      const { servers, sentinels, masters } = world.redisHosts;
      const scenario = scenarioIn(world);
      await goOn(scenario, 'the crew asks', async () => (await scenario.screen()).includes('[Approve]'));
      const [master] = await masters();
      if (!master) throw new Error('there is no master');
      const replicas = servers.filter(({ host }) => host !== master.host);
      // The split runs as if a sentinel were on each host of Redis. The bots reach both sides.
      const hosts = [master, ...replicas].map(({ host }, i) => [host, sentinels[i]?.host ?? host]);
      await world.network.split(hosts.slice(0, 2).flat(), hosts.slice(2).flat());
      await goOn(scenario, 'somebody has decided', () => scenario.hasDecided);
      await pause(BOTH_DUE_MS);
      expect((await masters()).map(({ host }) => host)).toEqual([master.host]);
      await world.network.heal();
      await world.redisHosts.untilWhole();
      await goOn(scenario, 'the run ends', () => scenario.isDone);
      expect(faultsIn(await lookAt(world), [scenario], await chainsOf(world))).toEqual(NO_FAULTS);
    });
  });

  it('a bot that is left with the old master answers 503 and asks people to try again, rather than that what exists is gone', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 1 }, async (world) => {
      const scenario = scenarioIn(world);
      const { jon } = scenario.crewChannel;
      const { untilPromoted } = await splitOff(world);
      await untilPromoted();
      world.balancer.prefer(1);
      await goOn(scenario, 'the crew asks', async () => (await jon.screen()).includes('[Approve]'));
      const statuses = await notifyAgain(world, world.addresses[0] ?? '');
      world.balancer.prefer(0);
      const answer = await answerToApproval(scenario);
      await world.network.heal();
      world.balancer.prefer(null);
      expect(statuses).toEqual([503]);
      expect(answer).not.toMatch(/doesn’t have this/);
      expect(answer).toMatch(/responded with an error|did not respond|try again/i);
      await world.redisHosts.untilWhole();
      await untilReady(world);
      await goOn(scenario, 'the run ends', () => scenario.isDone);
      expect(faultsIn(await lookAt(world), [scenario], await chainsOf(world))).toEqual(NO_FAULTS);
    });
  });

  it('a bot that is left with the old master is not ready, also where no replica has to confirm anything', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 0 }, async (world) => {
      const [bot] = world.botMachines;
      const { untilPromoted } = await splitOff(world);
      await untilPromoted();
      await eventually(
        async () => ((await bot?.readiness()) === 503 ? true : undefined),
        async () => 'it is still ready',
        READY_WITHIN_MS,
      );
      await world.network.heal();
      await untilReady(world);
    });
  });

  it('the figures count a decision that a bot on either side sends where no replica has to confirm anything', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 0, policy: 'undoable' }, async (world) => {
      // The bot that takes the decision is the one that sends it first, and it is left with the old master.
      world.balancer.prefer(0);
      const scenario = scenarioIn(world);
      await goOn(scenario, 'somebody has decided', () => scenario.hasDecided);
      await splitOff(world);
      const doubled = await eventually(
        async () => {
          const faults = faultsIn(await lookAt(world), [scenario], []);
          return faults.doubled.length > 0 ? faults.doubled : undefined;
        },
        async () => `the crew was told ${await resumesIn(world)} times`,
      );
      expect(doubled).toEqual([expect.stringMatching(/^tea in crew-1: a decision was sent again/)]);
    });
  });

  it('the figures count what an old master takes with it where no replica has to confirm anything', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 0, policy: 'long-undo' }, async (world) => {
      const decided = scenarioIn(world, 'decided');
      await goOn(decided, 'the crew asks', async () => (await decided.screen()).includes('[Approve]'));
      const { untilPromoted } = await splitOff(world);
      world.balancer.prefer(0);
      await goOn(decided, 'somebody has decided', () => decided.hasDecided);
      const started = scenarioIn(world, 'started');
      await goOn(started, 'the crew has started', async () => (await world.runs()).length === 2);
      await untilPromoted();
      // Once they are whole again, the bot that remembers it puts it right.
      const { lost } = faultsIn(await lookAt(world), [decided, started], []);
      await world.network.heal();
      world.balancer.prefer(null);
      await world.redisHosts.untilWhole();
      await untilReady(world);
      const { forgotten } = faultsIn(await lookAt(world), [decided, started], await chainsOf(world));
      expect(lost).toEqual([expect.stringMatching(/^decided in crew-1: /)]);
      expect(forgotten).toEqual([expect.stringMatching(/^started in crew-1: /)]);
    });
  });
});

describe.concurrent('when hosts fail', { timeout: TRIALS_TIMEOUT_MS }, () => {
  it('both bots are ready again ten seconds after the master was killed, although one of three sentinels hangs', async (context) => {
    await needsHosts(context);
    await withWorld({ minReplicas: 1 }, async (world) => {
      const sentinel = await machineOf(world, { kind: 'sentinel', turn: 0 });
      const master = await machineOf(world, { kind: 'master', turn: 0 });
      sentinel.pause();
      await master.kill();
      const killedAt = performance.now();
      await untilReady(world);
      const tookMs = performance.now() - killedAt;
      sentinel.resume();
      expect(tookMs).toBeLessThanOrEqual(patienceMs(READY_WITHIN_MS));
    });
  });

  it('a planned failover loses nothing that was acknowledged where one of two replicas confirms each change', async (context) => {
    await needsHosts(context);
    const row = { topology: 'Sentinel', minReplicas: 1, seed: 11 } as const;
    const { faults, report, line } = await runFaults(row, [0, 1, 2].map(plannedFailover));
    console.info(`planned failovers: ${line}`);
    expect(faults, report).toEqual(NO_FAULTS);
  });

  it.for(['Sentinel', 'Cluster'] as const)(
    'nothing is lost or doubled when one host of each kind dies and comes back (%s)',
    async (topology, context) => {
      await needsHosts(context);
      const kinds = ['replica', 'master', 'bot', ...(topology === 'Sentinel' ? (['sentinel'] as const) : [])] as const;
      const deaths = kinds.map((kind) => death({ kind, turn: 0 }, { forMs: DEATH_MS, failover: null }));
      const { faults, report, line } = await runFaults({ topology, minReplicas: 1, seed: 12 }, deaths);
      console.info(`one host of each kind: ${line}`);
      expect(faults, report).toEqual(NO_FAULTS);
    },
  );
});

/** Tells a bot once more what the crew asks, with the credentials of the run; resolves to what it answers. */
async function notifyAgain({ crews }: HostsWorld, address: string): Promise<number[]> {
  const kickoff = (await crews.sandbox.requests()).find(({ route }) => route === 'kickoff');
  const parsed = parseJson(kickoff?.body ?? '');
  const webhook = isObject(parsed) ? objectAt(parsed, 'humanInputWebhook') : undefined;
  const token = stringAt(objectAt(webhook, 'authentication'), 'token') ?? '';
  const asked = (await crews.sandbox.webhooks()).filter(({ kind }) => kind === 'human-input');
  return Promise.all(
    asked.slice(0, 1).map(async ({ url, body }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { status } = await fetch(`${address}${new URL(url).pathname}`, { method: 'POST', headers, body });
      return status;
    }),
  );
}

/** Jon approves. Resolves to what he reads then: an error of Slack, a window, or what only he sees. */
async function answerToApproval({ crewChannel: { jon, channel, channelId } }: Scenario): Promise<string> {
  const { messages } = await jon.snapshot();
  const card = messages[channelId]?.find((message) => offers(message, 'Approve'));
  if (!card) throw new Error('there is no card');
  try {
    await jon.click('Approve', { in: card });
  } catch (error) {
    if (error instanceof PersonProblemError) return error.problem.text;
    throw error;
  }
  return eventually(
    async () => {
      const modal = await jon.modal();
      const [told] = (await jon.privately(channel)).slice(-1);
      return modal ? modalText(modal) : told && visibleText(told);
    },
    async () => `nothing answers a click:\n${await jon.screen()}`,
    ANSWERED_WITHIN_MS,
  );
}
