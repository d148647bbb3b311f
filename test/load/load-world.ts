import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { type BotProcess, startBotProcess } from '../support/bot-process.ts';
import { type Answered, askSlackServer, buttonsIn, clickPayload, payloadForm } from '../support/slack-server.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

/** A task that asks for human input, and one after it. */
export const ASKING: Script = [
  { name: 'draft', agent: 'Writer', humanInput: true, output: 'A draft about tea, round {{round}}.' },
  { name: 'publish', agent: 'Publisher', output: 'Published.' },
];

export interface HumanRequest {
  actionId: string;
  value: string;
  message: StoredMessage;
}

/** A world for many executions at once, with bots in their own processes. */
export interface LoadWorld {
  world: World;
  bots: { port: number; process: BotProcess }[];
  /** Starts executions through the first `entryBots` bots in turn; resolves when all commands are acknowledged. */
  start(count: number, options?: { atOnce?: number; entryBots?: number }): Promise<void>;
  /** All open cards, once there are this many. */
  cards(count: number, withinMs?: number): Promise<HumanRequest[]>;
  /** Jon approves; resolves to the acknowledgement and how long it took. */
  approve(approval: HumanRequest, port?: number): Promise<Answered & { tookMs: number }>;
  /** The execution id of each resume that took effect. */
  resumed(): Promise<string[]>;
  completed(count: number, withinMs?: number): Promise<void>;
  /** Those of all executions that the crew was asked to start. */
  refs(): Promise<string[]>;
  /** The sum of a bot's metric over all series with these labels. */
  metric(bot: number, name: string, labels?: string): Promise<number>;
  stop(): Promise<void>;
}

export const CREW = 'load';

const COMPLETED = new RegExp(`${CREW}(-\\d+)?: Completed`);

/** Deployed services retry this long. A bot that is overloaded for seconds must not lose a request for good. */
const LONGEST_PAUSE_MS = 300_000;

const MOST_TRYING_MS = 60_000;

/** @param rateLimits `real`: both the workspace and the bots keep to Slack's rates */
export async function startLoadWorld(
  options: Pick<WorldOptions, 'dialect' | 'rateLimits' | 'env'> & {
    bots?: number;
    tasks?: Script;
    /** How many channels the runs are in, each with a crew of its own. */
    channels?: number;
  } = {},
): Promise<LoadWorld> {
  const { bots: count = 1, tasks = ASKING, rateLimits = 'off', channels = 1, ...rest } = options;
  const others = Array.from({ length: channels - 1 }, (_, i) => ({
    name: `${CREW}-${i + 1}`,
    channel: `room-${i + 1}`,
  }));
  const crews = [{ name: CREW, channel: 'releases' }, ...others].map(({ name, channel }) => ({
    ...{ name, tasks, settings: { channel } },
  }));
  const fixtures = others.length;
  const world = await startWorld({ ...rest, rateLimits, crews, fixtures, longestPauseMs: LONGEST_PAUSE_MS });
  const bots = await Promise.all(Array.from({ length: count }, () => startOne(world, rateLimits)));
  const [first] = bots;
  world.slack.installAt(`http://127.0.0.1:${first?.port}/slack/events`);
  const secret = world.slack.signingSecret;
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  let started = 0;

  /** A bot that is too busy to answer in time says so, and a person tries again. */
  async function post(body: string, port = first?.port ?? 0): Promise<Answered> {
    const deadline = performance.now() + MOST_TRYING_MS;
    for (;;) {
      const answer = await askSlackServer({ port, secret, body, agent });
      if (answer.status !== 503 || performance.now() > deadline) return answer;
      await pause(500);
    }
  }

  async function startNext(entryBots: number): Promise<void> {
    const number = started++;
    const who = { user_id: 'UMARIA001', team_id: 'T0SANDBOX1', channel_id: 'C0RELEASE2', trigger_id: `t.${number}` };
    const text = `${crews[number % crews.length]?.name} topic=tea-${number}`;
    const body = new URLSearchParams({ command: '/kickoff', text, ...who }).toString();
    const answer = await post(body, bots[number % entryBots]?.port);
    if (answer.status !== 200) throw new Error(`a start was answered with ${answer.status} ${answer.text}`);
  }

  async function requests(route: string) {
    return (await world.crews.sandbox.requests()).filter((each) => each.route === route && each.applied);
  }

  return {
    world,
    bots,
    async start(wanted, { atOnce = 25, entryBots = bots.length } = {}) {
      const until = started + wanted;
      const lane = async () => {
        while (started < until) await startNext(entryBots);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    },
    async cards(wanted, withinMs = 60_000) {
      let cards: HumanRequest[] = [];
      await eventually(`${wanted} cards`, withinMs, async () => {
        cards = buttonsIn(world.slack.messages(), 'Approve').filter(({ actionId }) => actionId === 'approve');
        return { done: cards.length >= wanted, now: cards.length };
      });
      return cards;
    },
    async approve({ message, ...element }, port) {
      const began = performance.now();
      const answer = await post(payloadForm(clickPayload(element, { by: 'UJON00002', message })), port);
      return { ...answer, tookMs: performance.now() - began };
    },
    async resumed() {
      return (await requests('resume')).map(({ body }) => String(JSON.parse(body).execution_id));
    },
    async completed(wanted, withinMs = 60_000) {
      await eventually(`${wanted} threads that say so`, withinMs, async () => {
        const texts = world.slack.messages().map(({ text }) => text);
        const now = texts.filter((text) => COMPLETED.test(text)).length;
        return { done: now >= wanted, now };
      });
    },
    async refs() {
      const kickoffs = (await requests('kickoff')).map(({ body }) => body);
      return kickoffs.map((body) => {
        const [, ref] = /webhooks\/executions\/([^/"]+)/.exec(body) ?? [];
        if (!ref) throw new Error(`a kickoff without our addresses: ${body}`);
        return ref;
      });
    },
    async metric(bot, name, labels = '') {
      const answer = await fetch(`http://127.0.0.1:${bots[bot]?.port}/metrics`);
      const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async stop() {
      agent.destroy();
      await Promise.all(bots.map(({ process }) => process.stop()));
      await world.stop();
    },
  };
}

async function startOne(world: World, rateLimits: 'real' | 'off') {
  const port = await freePort();
  const program = rateLimits === 'real' ? 'bot' : 'unlimited-bot';
  return { port, process: await startBotProcess(world.env(port), program) };
}

/** Polls twice a second. */
export async function eventually(
  what: string,
  withinMs: number,
  look: () => Promise<{ done: boolean; now: number }>,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { done, now } = await look();
    if (done) return;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}; there are ${now}`);
    await pause(500);
  }
}
