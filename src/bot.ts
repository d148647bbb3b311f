import type { Logger } from 'pino';
import { createChannelOf } from './bot/channel-of.ts';
import { openDoor, reachRedis, reachSlack } from './bot/reach.ts';
import { reportUnreachableCrews } from './bot/report-unreachable-crews.ts';
import type { Config } from './config.ts';
import type { Crew } from './core/crew.ts';
import type { ActivityLog, DueQueue, ExecutionStore, OutputStore } from './core/ports.ts';
import { type CrewClient, createCrewClient } from './crew/client.ts';
import { type Credentials, createCredentials } from './crew/credentials.ts';
import { createRefs, type Refs } from './crew/refs.ts';
import { settleHold } from './crew/settle-hold.ts';
import { createWebhooks, type Webhooks } from './crew/webhooks.ts';
import { createHttpDoor } from './http.ts';
import { watchStore } from './metrics/watch-store.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPerform } from './perform.ts';
import { createActivityLog } from './redis/activity-log.ts';
import type { RedisClient } from './redis/caller.ts';
import { takeCensus } from './redis/census.ts';
import { closeRedis, pingRedis } from './redis/connect.ts';
import { createDueQueue } from './redis/due-queue.ts';
import { createExecutionStore } from './redis/execution-store.ts';
import { createOutputStore } from './redis/output-store.ts';
import { createPrivateAnswers } from './slack/answer-privately.ts';
import { createBoard } from './slack/board.ts';
import { findChannel } from './slack/channels.ts';
import { createSlackClients, type SlackClients } from './slack/clients.ts';
import { createSlackDoor, type SlackDoor } from './slack/connect.ts';
import { fetchIdentity, type Identity } from './slack/identity.ts';
import { slackLogger } from './slack/logger.ts';
import { createNamesOf, type NamesOf } from './slack/names.ts';
import { createNotifier } from './slack/notifier.ts';
import type { Rates } from './slack/paces.ts';
import { createPeople, type People } from './slack/people.ts';
import { reportUnreadable } from './slack/report.ts';
import { Worker } from './worker.ts';

export interface Bot {
  port: number;
  /**
   * Takes up nothing new, finishes what is in hand, and resolves within about nine seconds. The doors stay open until the
   * end: what still arrives is stored, and what it owes is done by other processes or after the next start.
   */
  stop(): Promise<void>;
}

/** What a workspace may allow that isn't Slack's own. */
export interface BotOptions {
  rates?: Rates;
}

/** Long enough to load a record and begin a call, too short for anybody to notice. */
const HEAD_START_MS = 300;
/** What takes longer is claimed in its record, and what came of it is found out after the next start. */
const STOP_MS = { work: 6_500, requests: 1_500 };

/** Puts the parts together and opens the doors. @throws {CannotStart} */
export async function startBot(config: Config, log: Logger, { rates }: BotOptions = {}): Promise<Bot> {
  const redis = await reachRedis(config.redis.url, log);
  const metrics = createMetrics({
    census: (agesMs) => takeCensus(redis, agesMs),
    workerLoad: () => worker.load(),
  });
  const workspace = await enterWorkspace(config, { metrics, log });
  const parts: Parts = {
    config,
    log,
    metrics,
    ...workspace,
    ...openStores(redis, config, metrics),
    ...meetCrews(config, { metrics, log }),
  };
  const worker = createWorker(parts, rates);
  const wake = (ref: string) => worker.wake(ref);
  const slack = createSlackSide(parts, wake);

  let isStopping = false;
  const http = createHttpDoor({
    webhooks: createWebhookSide(parts, wake),
    ...(slack.handle && { slack: slack.handle }),
    readiness: async () => ({
      serving: !isStopping,
      redis: await pingRedis(redis).then(
        () => true,
        () => false,
      ),
      worker: worker.isAlive(),
      slack: slack.isConnected(),
    }),
    metrics: metrics.text,
    log,
    onFault: () => metrics.fault('http'),
  });

  const port = await openDoor(http, config.port);
  await reachSlack(() => slack.start());
  worker.start();
  void reportUnreachableCrews(config.crews, parts.crewClient, log);
  log.info({ port, mode: config.slack.mode.kind, crews: [...parts.crews.keys()] }, 'Signoff is ready');

  return {
    port,
    async stop() {
      isStopping = true;
      await worker.stop(STOP_MS.work);
      await Promise.all([http.close(STOP_MS.requests), slack.stop()]);
      await parts.crewClient.close();
      await closeRedis(redis);
    },
  };
}

/** What the sides of the bot are made of. */
interface Parts extends Stores, Workspace, CrewSide {
  config: Config;
  metrics: Metrics;
  log: Logger;
}

interface Watch {
  metrics: Metrics;
  log: Logger;
}

interface Stores {
  store: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  due: DueQueue;
}

function openStores(redis: RedisClient, { retentionDays, redis: { minReplicas } }: Config, metrics: Metrics): Stores {
  return {
    store: watchStore(
      createExecutionStore(redis, { retentionDays, minReplicas, headStartMs: HEAD_START_MS }),
      metrics.change,
    ),
    outputs: createOutputStore(redis, { retentionDays }),
    activity: createActivityLog(redis, { retentionDays }),
    due: createDueQueue(redis),
  };
}

interface Workspace {
  clients: SlackClients;
  identity: Identity;
  people: People;
  namesOf: NamesOf;
}

async function enterWorkspace({ slack: { botToken, apiUrl } }: Config, { metrics, log }: Watch): Promise<Workspace> {
  const logger = slackLogger(log);
  const clients = createSlackClients({ token: botToken, apiUrl, logger, observe: metrics.slackCall });
  const identity = await reachSlack(() => fetchIdentity(clients.background));
  const people = createPeople(clients.interactive);
  return { clients, identity, people, namesOf: createNamesOf(people) };
}

interface CrewSide {
  crews: ReadonlyMap<string, Crew>;
  credentials: Credentials;
  refs: Refs;
  crewClient: CrewClient;
}

function meetCrews({ crews, publicUrl, secrets, webhookAuth }: Config, { metrics, log }: Watch): CrewSide {
  const credentials = createCredentials(secrets);
  const observe = metrics.crewCall;
  return {
    crews: new Map(crews.map((crew) => [crew.name, crew])),
    credentials,
    refs: createRefs(secrets),
    crewClient: createCrewClient({ crews, publicUrl, credentials, webhookAuth, log, observe }),
  };
}

function createWorker(parts: Parts, rates: Rates | undefined): Worker {
  const { store, outputs, activity, due, crews, crewClient, clients, identity, namesOf, metrics, log } = parts;
  const client = clients.background;
  const thread = createBoard({
    client,
    render: { outputs, activity, crews, identity, namesOf },
    notifier: createNotifier({ client, crews, crewInputs: crewClient, identity, log }),
    rates,
    log,
  });
  const settle = async (ref: string) => {
    const settled = await settleHold({ executions: store, outputs }, ref);
    if (settled.kind === 'merged') worker.wake(settled.into);
  };
  const perform = createPerform({ store, outputs, crews: crewClient, thread, settleHold: settle, log });
  const worker = new Worker({ store, due, log, onFault: () => metrics.fault('worker'), perform });
  return worker;
}

function createSlackSide(parts: Parts, wake: (ref: string) => void): SlackDoor {
  const { config, store, outputs, activity, crews, crewClient, refs, clients, metrics, log } = parts;
  const { identity, people, namesOf } = parts;
  const { botToken: token, apiUrl, mode } = config.slack;
  const client = clients.interactive;
  return createSlackDoor(
    { token, apiUrl, mode, observe: metrics.slackRequest, onFault: () => metrics.fault('slack') },
    {
      store,
      outputs,
      activity,
      crews,
      crewInputs: crewClient,
      createRef: refs.createRef,
      wake,
      client,
      answers: createPrivateAnswers({ client, log }),
      identity,
      people,
      namesOf,
      log,
    },
    log,
  );
}

function createWebhookSide(parts: Parts, wake: (ref: string) => void): Webhooks {
  const { config, store, outputs, activity, crews, credentials, refs, clients, log } = parts;
  const client = clients.background;
  const channelOf = createChannelOf(crews, (name) => findChannel(client, name));
  return createWebhooks({
    executions: store,
    outputs,
    activity,
    credentials,
    refs,
    crews: config.crews,
    channelOf,
    wake,
    async report({ crew, keys }) {
      const channel = await channelOf(crew).catch(() => null);
      await reportUnreadable({ client, channel, log }, { crew, keys });
    },
    log,
  });
}
