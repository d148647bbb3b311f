import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Bot, startBot } from '../../src/bot/bot.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Json } from '../../src/core/values/json.ts';
import type { Crew } from '../../src/sandbox/crew-service/crew.ts';
import { type Script, scriptedCrew } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../src/sandbox/crew-service/service.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed } from '../../src/sandbox/slack-workspace/state/seed.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { SlackReceiver } from '../../src/slack/app/app.ts';
import { type BotProcess, startBotProcess } from './bot-process.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { FLOW_SECRET } from './flow-feedback.ts';
import { installedApp, type ManifestName } from './installed-app.ts';
import { NO_RATE_LIMITS } from './no-rate-limits.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { startRedisCluster, withNodes } from './redis-cluster.ts';
import { impatientRetry } from './webhook-retry.ts';

/** The secret that the credentials of every bot in the tests are derived from. */
export const TEST_SECRET = 'only-for-tests-but-long-enough-all-the-same';

/** What the crew service's clients have to show. */
export const CREW_TOKEN = 'token-of-the-organisation';

/** The dialect of crews whose test doesn't choose one: the Vitest project decides. */
export const DIALECT = process.env.TEST_DIALECT === 'observed' ? 'observed' : 'spec';

const REDIS_OF_BOTS = process.env.TEST_REDIS === 'cluster' ? 'a Cluster' : 'one server';

/**
 * A busy machine exceeds Slack's three seconds. Tests that nothing delays an acknowledgement hold that thing back until
 * the acknowledgement has come.
 */
const ACK_LIMIT_MS = 30_000;

/** What the bots of the tests give as their version. */
export const TEST_VERSION = '1.2.3-test';

export interface CrewOfWorld {
  name: string;
  inputs?: string[];
  tasks?: Script;
  /** Default: it is. Otherwise the crews file has no address and token of it. */
  deployed?: boolean;
  /** What the crews file says of it besides name, address and token. */
  settings?: Record<string, Json>;
}

export interface WorldOptions {
  dialect?: 'spec' | 'observed' | 'flows';
  /** What the crews file says that all crews are. Default: nothing. */
  platform?: 'amp';
  /** What the bots keep their data in; the crew service keeps a Redis of its own. Default: the Vitest project decides. */
  redisOfBots?: 'one server' | 'a Cluster';
  slackMode?: 'http' | 'socket';
  webhookAuth?: 'bearer' | 'basic';
  /** A single crew comes from the environment, several come from a crews file. Default: `editorial`, unless there are fixtures. */
  crews?: CrewOfWorld[];
  /** Flows, in the dialect `flows`, or coded crews in another one. Answers to what they ask may go to the crew service, unless their settings say otherwise. */
  flows?: { flow: Crew; settings?: Record<string, Json> }[];
  /** How many fixtures tests can take. */
  fixtures?: number;
  /** What the crews of the fixtures need. Default: `topic`. */
  inputs?: string[];
  /** How many characters of a text their cards show. Default: as usual. */
  preview?: number;
  /** Who decides for each of them, in their order. Default: anyone. */
  approvals?: Record<string, Json>[];
  /** How many more people there are, `person-1` and so on, in a channel of their own named `crowd`. */
  crowd?: number;
  /** Changes the people, groups and channels of the workspace. */
  seed?: (seed: Seed) => Seed;
  /** The folder of the built page, for browsers. Default: the workspace has none. */
  pageDir?: string;
  /** What the app may do in Slack, where that isn't the usual. */
  scopes?: string[];
  /** Which manifest the app was made of. Default: the one without steps of workflows. */
  manifest?: ManifestName;
  /** What the slash command is called, in the app and for the bots. Default: as in the manifest. */
  command?: string;
  /** Slack's real rates in the workspace, and so in the bots, or none. */
  rateLimits?: 'real' | 'off';
  /** The longest pause before the crews notify again what was not taken. Default: half a second, since tests wait for it. */
  longestPauseMs?: number;
  env?: Record<string, string>;
}

export interface BotStart {
  log?: Logger;
  /** Where it listens; a bot that takes the place of another one needs the same. Default: any free port. */
  port?: number;
  env?: Record<string, string>;
  /** Takes Slack's requests in place of the bot's own. */
  receiver?: SlackReceiver;
  /** How long the start waits until a trouble of Slack has passed. */
  slackPatienceMs?: number;
  /** How often it seals the ledger. Default: once a minute, longer than most tests run. */
  sealEveryMs?: number;
  /** How often it looks for absences to follow. Default: seldom. */
  lookEveryMs?: number;
  lookForDecidersMs?: number;
}

/** Everything that the bot lives among, each a real server: a Slack workspace, a crew service, a Redis. */
export interface World {
  redis: TestRedis;
  crews: CrewService;
  slack: SlackWorkspace;
  /** The environment of a bot of this world; `port` is where it will listen. */
  env(port: number): Record<string, string>;
  /** Starts one more bot in this process. */
  startBot(start?: BotStart): Promise<Bot>;
  /** Starts one more bot in a process of its own. */
  startBotProcess(start?: Pick<BotStart, 'port' | 'env'>): Promise<BotProcess>;
  /** A crew, a private channel and people that no other test has, so that tests can run side by side. */
  fixture(tasks?: Script): Promise<Fixture>;
  stop(): Promise<void>;
}

/** One task, asked for human input: the draft says which round it is and what feedback it was given. */
export const DRAFT: Script = [
  { name: 'research', agent: 'Researcher', output: 'Three sources were read.', steps: 2 },
  { name: 'draft', agent: 'Writer', humanInput: true, output: '# Draft {{round}}\n\nAbout tea. {{feedback}}' },
  { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.' },
];

/** Starts a world without a bot. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { slackMode = 'http', rateLimits = 'off', fixtures = 0, longestPauseMs = 500, flows = [] } = options;
  const { dialect = flows.length > 0 ? 'flows' : DIALECT } = options;
  const ofWorld = crewsOf(options).map((crew) => withPlatform(crew, options.platform));
  const folder = await mkdtemp(join(tmpdir(), 'signoff-world-'));
  const { redisOfBots = REDIS_OF_BOTS } = options;
  const cluster = redisOfBots === 'a Cluster' ? await startRedisCluster() : null;
  const redis = withNodes(await startRedis({ appendOnly: true }), cluster?.nodes ?? []);
  const crews = await startCrewService({
    crews: [
      ...ofWorld.map(({ name, inputs = ['topic'], tasks = DRAFT }) => scriptedCrew({ name, inputs, tasks })),
      ...flows.map(({ flow }) => flow),
    ],
    tokens: { organisation: CREW_TOKEN },
    redisUrl: redis.url,
    dialect,
    webhookRetry: impatientRetry(dialect, longestPauseMs),
  });
  const slack = await startSlackWorkspace({
    rateLimits,
    ackLimitMs: ACK_LIMIT_MS,
    ...(options.pageDir && { pageDir: options.pageDir }),
    seed: (options.seed ?? unchanged)(withFixtures(fixtures, options.crowd ?? 0)),
    app: {
      ...appWith(options),
      delivery: slackMode === 'socket' ? { mode: 'socket' } : { mode: 'http', requestUrl: undefined },
      ...(options.scopes && { scopes: options.scopes }),
    },
  });
  const ofFlows = flows.map(({ flow, settings }) => ({
    name: flow.name,
    settings: { ...(dialect === 'flows' ? flowSettings(crews) : { channel: 'releases' }), ...settings },
  }));
  const crewEnv = await crewSettings([...ofWorld, ...ofFlows], crews, join(folder, 'crews.yml'));
  const running = new Set<{ stop(): Promise<unknown> }>();
  const env = (port: number) => ({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    ...(slackMode === 'http' ? { SLACK_SIGNING_SECRET: slack.signingSecret } : { SLACK_APP_TOKEN: slack.appToken }),
    REDIS_URL: cluster?.url ?? redis.url,
    APP_SECRET: TEST_SECRET,
    ...crewEnv,
    WEBHOOK_AUTH: options.webhookAuth ?? 'bearer',
    LOG_LEVEL: 'info',
    ...(options.command && { COMMAND: options.command }),
    ...options.env,
  });
  const silent = pino({ level: process.env.TEST_LOG ?? 'silent' });
  let fixturesTaken = 0;

  async function keep<Running extends { stop(): Promise<unknown> }>(port: number, bot: Promise<Running>) {
    const started = await bot;
    running.add(started);
    slack.installAt(`http://127.0.0.1:${port}/slack/events`);
    const stop: Running['stop'] = () => {
      running.delete(started);
      return started.stop();
    };
    return { ...started, stop };
  }

  return {
    redis,
    crews,
    slack,
    env,
    async startBot(start = {}) {
      const port = start.port ?? (await freePort());
      const config = readConfig({ ...env(port), ...start.env });
      if (!config.ok) throw new Error(config.refusal.join('\n'));
      const { log = silent, receiver, slackPatienceMs, sealEveryMs, lookEveryMs, lookForDecidersMs } = start;
      const options = {
        version: TEST_VERSION,
        ackLimitMs: ACK_LIMIT_MS,
        ...(rateLimits === 'off' && { rates: NO_RATE_LIMITS }),
        ...(receiver && { receiver }),
        ...(slackPatienceMs !== undefined && { slackPatienceMs }),
        ...(sealEveryMs !== undefined && { sealEveryMs }),
        ...(lookEveryMs !== undefined && { lookEveryMs }),
        ...(lookForDecidersMs !== undefined && { lookForDecidersMs }),
      };
      return keep(port, startBot(config.value, log, options));
    },
    async startBotProcess(start = {}) {
      const port = start.port ?? (await freePort());
      return keep(port, startBotProcess({ ...env(port), ...start.env }));
    },
    async fixture(tasks) {
      fixturesTaken += 1;
      if (fixturesTaken > fixtures) throw new Error(`this world has ${fixtures} fixtures only`);
      const fixture = createFixture({ slack, crews }, fixturesTaken);
      if (tasks) await fixture.setTasks(tasks);
      return fixture;
    },
    async stop() {
      await Promise.all([...running].map((bot) => bot.stop()));
      await slack.close();
      await crews.close();
      await redis.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function appWith({ command, manifest }: WorldOptions) {
  const app = installedApp([], manifest);
  return command === undefined ? app : { ...app, commands: app.commands.map((each) => ({ ...each, command })) };
}

const unchanged = (seed: Seed) => seed;

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

function crewsOf({
  crews,
  flows,
  fixtures = 0,
  inputs = ['topic'],
  preview,
  approvals = [],
}: WorldOptions): CrewOfWorld[] {
  const ofFixtures = numbers(fixtures).map((n) => ({
    name: `crew-${n}`,
    inputs,
    settings: { channel: `room-${n}`, ...(preview && { preview }), ...approvalOf(approvals[n - 1]) },
  }));
  const others = crews ?? (fixtures === 0 && !flows ? [{ name: 'editorial', settings: { channel: 'releases' } }] : []);
  return [...others, ...ofFixtures];
}

function withPlatform(crew: CrewOfWorld, platform: 'amp' | undefined): CrewOfWorld {
  return platform === undefined ? crew : { ...crew, settings: { ...crew.settings, platform } };
}

function approvalOf(approval: Record<string, Json> | undefined): Record<string, Json> {
  return approval ? { approval } : {};
}

/** Each fixture has a private channel, so other tests' people don't see its messages. */
function withFixtures(fixtures: number, crowd: number): Seed {
  const people = numbers(fixtures).flatMap((n) => [
    { id: `UMARIA${n}X`, name: `maria-${n}`, realName: `Maria the ${n}th` },
    { id: `UJON${n}X`, name: `jon-${n}`, realName: `Jon the ${n}th` },
  ]);
  const rooms = numbers(fixtures).map((n) => ({
    id: `C0ROOM${n}X`,
    name: `room-${n}`,
    kind: 'private' as const,
    members: [`maria-${n}`, `jon-${n}`, '@app'],
  }));
  const others = numbers(crowd).map((n) => ({ id: `UPERSON${n}X`, name: `person-${n}`, realName: `Person ${n}` }));
  const square = { id: 'C0CROWD00', name: 'crowd', members: [...others.map(({ name }) => name), '@app'] };
  const { members, channels } = DEFAULT_SEED;
  return {
    ...DEFAULT_SEED,
    members: [...members, ...people, ...others],
    channels: [...channels, ...rooms, ...(crowd > 0 ? [square] : [])],
  };
}

/** As for a deployed service with flows. */
function flowSettings({ origin }: CrewService): Record<string, Json> {
  const { host } = new URL(origin);
  return { channel: 'releases', platform: 'amp', callback_hosts: [host], flow_secret: FLOW_SECRET };
}

async function crewSettings(crews: CrewOfWorld[], service: CrewService, file: string): Promise<Record<string, string>> {
  const [only, ...others] = crews;
  const { channel, ...more } = only?.settings ?? {};
  if (only && others.length === 0 && typeof channel === 'string' && Object.keys(more).length === 0)
    return {
      CREW_NAME: only.name,
      CREW_BASE_URL: service.baseUrlOf(only.name),
      CREW_TOKEN,
      CREW_CHANNEL: channel,
    };
  const entries = crews.map(({ name, settings, deployed = true }) => ({
    name,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    ...(deployed && { base_url: service.baseUrlOf(name), token: '${TOKEN_OF_CREWS}' }),
    ...settings,
  }));
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ crews: entries }));
  return { CREWS_FILE: file, TOKEN_OF_CREWS: CREW_TOKEN };
}
