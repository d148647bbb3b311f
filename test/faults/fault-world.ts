import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { type Script, scriptedCrew } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../src/sandbox/crew-service/service.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import type { StoredMessage } from '../../src/sandbox/slack-workspace/state/workspace-state.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { ServerHost } from '../../src/setup/redis-process.ts';
import { installedApp } from '../support/installed-app.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { impatientRetry } from '../support/webhook-retry.ts';
import { type BotChild, createBotChild } from './bot-child.ts';
import { type Chain, openChains } from './chains.ts';
import { type CrewChannel, crewChannelOf, seedWith } from './crew-channels.ts';
import { crewsFile } from './crews-file.ts';
import { type Balance, type LoadBalancer, startLoadBalancer } from './load-balancer.ts';
import { type PolicyName, policyInTurn } from './policies.ts';
import { RedisClock } from './redis-clock.ts';
import type { RedisOfBots } from './redis-of-bots.ts';
import { type Announcements, type RedisProxy, startRedisProxy } from './redis-proxy.ts';
import { SeenScripts } from './seen-scripts.ts';

const CREW_TOKEN = 'token-of-the-organisation';

export interface FaultWorldOptions {
  /** How many crews there are, each with a channel and people of its own. */
  crewChannels: number;
  /** Of each crew, in their order. Default: by turns. */
  policies?: readonly (PolicyName | undefined)[];
  /** Default: one. */
  bots?: number;
  dialect?: 'spec' | 'observed';
  slackMode?: 'http' | 'socket';
  /** How long a Socket Mode connection goes on after it was dismissed. Default: as long as Slack lets it. */
  dismissalMs?: number;
  /** How long Slack waits for an acknowledgement, for tests that a busy machine must not fail. Default: as long as Slack does. */
  ackLimitMs?: number;
  /** How far the clock of each bot is off, in their order. */
  clocksWrongByMs?: readonly number[];
  /** Lost: a bot isn't told what the others change, so that it holds old records. Default: heard. */
  announcements?: Announcements;
  /** Which bot gets a request. Default: the first one that runs. */
  balance?: Balance;
  /** Whether Slack tells of the bot's messages, for which the app needs a scope. Default: it does. */
  messagesAre?: 'told of' | 'not told of';
  /** Where each bot runs, and where they find Slack and the crews. Default: all on this machine. */
  hosts?: { world: ServerHost; bots: readonly ServerHost[] };
  /** Default: the Redis that the crew service uses, too. */
  redisOfBots?: Pick<RedisOfBots, 'url' | 'clock' | 'proxies'>;
  /** Added to the environment of the bots, or replacing parts of it. */
  env?: Record<string, string>;
}

/** Bots behind a load balancer, each with its own proxy of Redis, and counterparts that can fail. */
export interface FaultWorld {
  readonly slack: SlackWorkspace;
  readonly crews: CrewService;
  readonly redis: TestRedis;
  readonly bots: readonly BotChild[];
  /** Where each bot listens, in their order. */
  readonly addresses: readonly string[];
  readonly balancer: LoadBalancer;
  /** All ways from the bots to Redis. */
  readonly proxies: readonly RedisProxy[];
  readonly clock: RedisClock;
  readonly messagesAre: 'told of' | 'not told of';
  readonly crewChannels: readonly CrewChannel[];
  /** All runs, newest first. The crew service uses the same Redis, so this waits while that restarts. */
  runs(): Promise<readonly RunSummary[]>;
  /** What the ledger has of executions. This, too, waits while Redis can't be reached. */
  chains(refs: readonly string[]): Promise<Chain[]>;
  /** A member deletes a message; `deleted` keeps it as it was. */
  deleteMessage(message: { channel: string; ts: string }): void;
  readonly deleted: readonly StoredMessage[];
  /** Resolves when no bot has done anything for a moment. */
  untilQuiet(): Promise<void>;
  stop(): Promise<void>;
}

/** A draft that people review; each round quotes the feedback before it. */
export const TASKS: Script = [
  { name: 'research', agent: 'Researcher', output: 'Three sources were read.', steps: 1 },
  { name: 'draft', agent: 'Writer', humanInput: true, output: '# Draft {{round}}\n\nAbout tea. {{feedback}}' },
  { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.' },
];

const TELLS_OF_MESSAGES = 'metadata.message:read';
/** Slack tries for six minutes, but twice only. Here it tries more often, so that nobody waits for a minute. */
const EVENT_RETRIES_MS = [0, ...Array<number>(180).fill(2_000)];
/** Each host has all ports for itself. */
const PORT_ON_HOST = 3_000;
const QUIET_MS = 250;
/** A busy machine may suspend a bot for longer, so it also has to answer this often in a row without doing anything. */
const QUIET_ANSWERS = 2;
const LOOK_EVERY_MS = 20;

/** Starts the counterparts, but no bot yet. */
export async function startFaultWorld(options: FaultWorldOptions): Promise<FaultWorld> {
  const { slackMode = 'http', dialect = 'spec', bots: count = 1, messagesAre = 'told of' } = options;
  const { announcements = 'heard', balance = 'first', hosts } = options;
  const listening = hosts && { host: hosts.world.address };
  const folder = await mkdtemp(join(tmpdir(), 'signoff-faults-'));
  const redis = await startRedis({ appendOnly: true });
  const names = numbers(options.crewChannels).map((n) => `crew-${n}`);
  const policies = names.map((_, i) => options.policies?.[i] ?? policyInTurn(i + 1));
  const crews = await startCrewService({
    crews: names.map((name) => scriptedCrew({ name, inputs: ['topic'], tasks: TASKS })),
    tokens: { organisation: CREW_TOKEN },
    redisUrl: redis.url,
    dialect,
    webhookRetry: impatientRetry(dialect, 400),
    ...listening,
  });
  const app = installedApp();
  const scopes = app.scopes.filter((scope) => messagesAre === 'told of' || scope !== TELLS_OF_MESSAGES);
  const slack = await startSlackWorkspace({
    rateLimits: 'off',
    ...listening,
    eventRetriesMs: EVENT_RETRIES_MS,
    ...(options.dismissalMs !== undefined && { dismissalMs: options.dismissalMs }),
    ...(options.ackLimitMs !== undefined && { ackLimitMs: options.ackLimitMs }),
    seed: seedWith(options.crewChannels),
    app: {
      ...app,
      scopes,
      delivery: slackMode === 'socket' ? { mode: 'socket' } : { mode: 'http', requestUrl: undefined },
    },
  });
  const file = join(folder, 'crews.yml');
  await writeFile(file, crewsFile(crews, names, policies));
  const places = await Promise.all(numbers(count).map((n) => placeOn(hosts?.bots[n - 1])));
  const balancer = await startLoadBalancer(places, { balance });
  slack.installAt(`http://127.0.0.1:${balancer.port}/slack/events`);
  const { clock } = options.redisOfBots ?? { clock: new RedisClock() };
  const behind = { port: redis.port, clock, scripts: new SeenScripts() };
  const bots = await Promise.all(
    places.map(async ({ port }, i) => {
      const proxy = await startRedisProxy(behind, { announcements });
      const env = {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${balancer.port}`,
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_API_URL: slack.apiUrl,
        ...(slackMode === 'http' ? { SLACK_SIGNING_SECRET: slack.signingSecret } : { SLACK_APP_TOKEN: slack.appToken }),
        REDIS_URL: options.redisOfBots?.url ?? `redis://127.0.0.1:${proxy.port}`,
        APP_SECRET: 'only-for-tests-but-long-enough-all-the-same',
        CREWS_FILE: file,
        TOKEN_OF_CREWS: CREW_TOKEN,
        LOG_LEVEL: 'info',
        ...options.env,
      };
      return createBotChild({
        ...{ name: `bot-${i + 1}`, env, redis: proxy },
        ...{ clockWrongByMs: options.clocksWrongByMs?.[i], host: hosts?.bots[i] },
      });
    }),
  );

  const proxies = [...bots.map((bot) => bot.redis), ...(options.redisOfBots?.proxies ?? [])];
  const ledger = openChains(options.env?.REDIS_URL ?? options.redisOfBots?.url ?? redis.url);
  const deleted: StoredMessage[] = [];
  let slackCalls = 0;
  let lastSlackCallAt = 0;
  async function lastActivityAt(): Promise<number> {
    const calls = slack.calls().at(-1)?.seq ?? 0;
    if (calls !== slackCalls) lastSlackCallAt = performance.now();
    slackCalls = calls;
    if (slack.faults.waiting() > 0 || slack.eventsToRetry() > 0) return performance.now();
    const requests = await crews.sandbox.requests();
    if (requests.some(({ answeredAt }) => answeredAt === undefined)) return performance.now();
    return Math.max(lastSlackCallAt, balancer.lastUsedAt(), ...proxies.map((proxy) => proxy.lastChangeAt()));
  }

  /** By then each bot got CPU time, and Redis has answered its earlier commands. */
  async function untilAllAnswer(): Promise<void> {
    const alive = places.filter((_, i) => bots[i]?.isAlive());
    await Promise.all(alive.map(({ host, port }) => fetch(`http://${host}:${port}/readyz`).catch(() => {})));
  }

  return {
    slack,
    crews,
    redis,
    bots,
    ...{ proxies, clock, balancer, addresses: places.map(({ host, port }) => `http://${host}:${port}`) },
    messagesAre,
    crewChannels: policies.map((policy, i) => crewChannelOf(slack, i + 1, policy)),
    runs: () =>
      eventually(
        () => crews.sandbox.runs().catch(() => undefined),
        async () => 'the crew service can not tell what it runs',
      ),
    chains: (refs) => ledger.read(refs),
    deleted,
    deleteMessage({ channel, ts }) {
      deleted.push(...slack.messages().filter((each) => each.channel === channel && each.ts === ts));
      slack.deleteMessage({ channel, ts });
    },
    async untilQuiet() {
      for (let quiet = 0; quiet < QUIET_ANSWERS; ) {
        const lastAt = await lastActivityAt();
        const isQuiet = performance.now() - lastAt >= QUIET_MS;
        await (isQuiet ? untilAllAnswer() : pause(LOOK_EVERY_MS));
        quiet = isQuiet && (await lastActivityAt()) === lastAt ? quiet + 1 : 0;
      }
    },
    async stop() {
      await Promise.all(bots.map((bot) => bot.kill()));
      await Promise.all(bots.map((bot) => bot.redis.close()));
      await balancer.close();
      await ledger.close();
      await slack.close();
      await crews.close();
      await redis.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Where a bot will listen. */
async function placeOn(host: ServerHost | undefined): Promise<{ host: string; port: number }> {
  return host ? { host: host.address, port: PORT_ON_HOST } : { host: '127.0.0.1', port: await freePort() };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
