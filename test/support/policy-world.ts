import { readFile, writeFile } from 'node:fs/promises';
import type { Bot } from '../../src/bot/bot.ts';
import type { Json } from '../../src/core/values/json.ts';
import { type Seed, type SeedMember, withEveryKindOfPerson } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { startLoadBalancer } from '../faults/load-balancer.ts';
import { eventually } from '../redis/store-under-test.ts';
import { type FollowedRun, followRun } from './followed-run.ts';
import type { ManifestName } from './installed-app.ts';
import { type BotStart, startWorld, type World, type WorldOptions } from './world.ts';

export const CHANNEL = '#releases';

/** A part of the crews file. */
type Settings = Record<string, Json>;

export interface PolicyWorldOptions {
  slackMode?: 'http' | 'socket';
  /** The crews by their names, each with its `approval`. */
  crews: Record<string, Settings>;
  /** What the crews file says of some of them besides. */
  more?: Record<string, Settings>;
  /** User groups beside those of the usual workspace, by their handles, with the handles of their members. */
  groups?: Record<string, string[]>;
  /** What the app may do in Slack, where that isn't the usual. */
  scopes?: string[];
  manifest?: ManifestName;
  env?: Record<string, string>;
  /** The folder of the built page, for browsers. */
  pageDir?: string;
  bot?: Omit<BotStart, 'port' | 'env'>;
}

/** Two bots that share the work, in a workspace with every kind of person. */
export interface PolicyWorld extends World {
  /** Where the bots listen. */
  ports: readonly number[];
  /** Somebody starts a crew in `#releases`, or in another channel. */
  run(crew: string, start?: { by?: string; channel?: string }): Promise<FollowedRun>;
  /** Replaces both bots, which forget what Slack told them; until the next time, some crews have other settings, or are gone. */
  restart(changed?: Record<string, Settings | 'gone'>): Promise<void>;
  /** Changes who is in a user group; resolves once Slack has told one of the bots. */
  setGroup(handle: string, people: string[]): Promise<void>;
}

export async function startPolicyWorld(wanted: PolicyWorldOptions): Promise<PolicyWorld> {
  const { crews, more = {}, groups = {}, bot, ...options } = wanted;
  const settings = ([name, approval]: [string, Settings]) => ({ channel: 'releases', approval, ...more[name] });
  const worldOptions: WorldOptions = {
    ...options,
    crews: Object.entries(crews).map((crew) => ({ name: crew[0], settings: settings(crew) })),
    seed: (seed) => withGroups(withEveryKindOfPerson(withPriyaInReleases(seed)), groups),
  };
  const world = await startWorld(worldOptions);
  const ports = [await freePort(), await freePort()];
  const behind = ports.map((port) => ({ port }));
  const balancer = await startLoadBalancer(behind, { balance: 'in-turn' });
  const address = `http://127.0.0.1:${balancer.port}`;
  let bots: Bot[] = [];
  let runs = 0;

  async function startBots(env: Record<string, string>): Promise<void> {
    bots = await Promise.all(
      ports.map((port) => world.startBot({ ...bot, port, env: { PUBLIC_URL: address, ...env } })),
    );
    world.slack.installAt(`${address}/slack/events`);
  }
  await startBots({});

  return {
    ...world,
    ports,
    run(crew, { by = 'maria', channel = CHANNEL } = {}) {
      runs += 1;
      return followRun(world, { crew, topic: `leaf no. ${runs}.`, by, channel });
    },
    async restart(changed) {
      await Promise.all(bots.map((each) => each.stop()));
      await startBots(changed ? { CREWS_FILE: await writeCrewsFile(world, changed) } : {});
    },
    async setGroup(handle, people) {
      const before = world.slack.calls().at(-1)?.seq ?? 0;
      world.slack.admin.setGroupMembers(handle, people);
      const isTold = (event: string) =>
        world.slack.calls().some(({ seq, name, outcome }) => seq > before && name === event && outcome === 'ok');
      await eventually(async () => isTold('subteam_updated') && isTold('subteam_members_changed'));
    },
    async stop() {
      await world.stop();
      await balancer.close();
    },
  };
}

/** A crews file in which some crews have other settings, or are missing. */
async function writeCrewsFile(world: World, changed: Record<string, Settings | 'gone'>): Promise<string> {
  const file = world.env(0).CREWS_FILE ?? '';
  const { crews } = JSON.parse(await readFile(file, 'utf8'));
  const written = crews.flatMap((crew: { name: string }) => {
    const change = changed[crew.name];
    return change === 'gone' ? [] : [{ ...crew, ...change }];
  });
  await writeFile(`${file}.changed`, JSON.stringify({ crews: written }));
  return `${file}.changed`;
}

function withPriyaInReleases(seed: Seed): Seed {
  const channels = seed.channels.map((channel) =>
    channel.name === 'releases' ? { ...channel, members: [...(channel.members ?? []), 'priya'] } : channel,
  );
  return { ...seed, channels };
}

function withGroups(seed: Seed, groups: Record<string, string[]>): Seed {
  const idOf = (handle: string) => seed.members.find(({ name }: SeedMember) => name === handle)?.id ?? handle;
  const added = Object.entries(groups).map(([handle, people], i) => ({
    ...{ id: `S0GROUP${i}X`, handle, name: handle, memberIds: people.map(idOf) },
  }));
  return { ...seed, groups: [...seed.groups, ...added] };
}
