// biome-ignore-all lint/performance/noBarrelFile: the entry `@signoff/crew-service/service`.
// Starts the crew service from code, and stops it: its parts are put together here.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { differentNames, type HostedCrews, loadCrewFiles } from './crew-process/hosted-crews.ts';
import type { CrewFile } from './crew-process/process-pool.ts';
import type { ExampleCrewsOptions } from './crews/crews.ts';
import type { CrewCode } from './executions/crew-code.ts';
import { createExecutions } from './executions/executions.ts';
import { codeInProcess } from './executions/perform-task.ts';
import type { Run } from './executions/run.ts';
import { createRunner, type Runner } from './executions/runner.ts';
import { checkTokens, createIdentify, createRevocations, maySee } from './http/access.ts';
import { describeService } from './http/openapi.ts';
import { createRoutes } from './http/routes.ts';
import { createCloser, createCrewServer } from './http/server.ts';
import { type CrewServiceOptions, type CrewServiceSettings, withDefaults } from './options.ts';
import { EXAMPLE_CREWS } from './places.ts';
import { connectRedis, retryUntilSuccess } from './redis/connection.ts';
import { type Lease, takeLease } from './redis/lease.ts';
import { type PrivateRedis, startPrivateRedis } from './redis/private-redis.ts';
import { createStore, type Store } from './redis/store.ts';
import { type CrewSandbox, createCrewSandbox } from './sandbox-api/crew-sandbox.ts';
import { createFaults } from './sandbox-api/faults.ts';
import { createGates } from './sandbox-api/gates.ts';
import { createRecords } from './sandbox-api/records.ts';
import { createSandboxRoutes } from './sandbox-api/sandbox-over-http.ts';
import { createScripts } from './sandbox-api/scripted-crew.ts';
import { createStopController, settlesWithin } from './waiting.ts';
import { createDashboard, type Dashboard } from './webhooks/dashboard.ts';
import { createDeliverer, type Deliverer } from './webhooks/deliverer.ts';
import { type Delivery, deliveriesFor, type Notify } from './webhooks/delivery.ts';

export type { CrewServiceOptions } from './options.ts';
export { connectCrewSandbox } from './sandbox-api/sandbox-over-http.ts';
export { scriptedCrew } from './sandbox-api/scripted-crew.ts';

/** The time that requests in flight have when the service stops. */
const LONGEST_ANSWERS_MS = 2_500;

export interface CrewService {
  readonly port: number;
  /** An origin such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  readonly crewNames: readonly string[];
  /** A crew's `{base_url}`: the specification's routes are below it. */
  baseUrlOf(crew: string): string;
  /** For tests: scripts, gates, faults, records. */
  readonly sandbox: CrewSandbox;
  /**
   * Answers what is in flight, and stops serving and working, within 10 seconds. A Redis of its own ends, too. Unfinished work
   * resumes when a service starts with the same Redis and prefix.
   */
  close(): Promise<void>;
  /** Resolves when another service has taken over the Redis prefix, as this one couldn't reach Redis in time. It has stopped then. */
  readonly lost: Promise<Error>;
}

/**
 * Starts the service and resumes what an earlier one left unfinished in Redis.
 * Rejects if a crew file can't be used, two crews have one name, Redis can't be reached, another service works with the
 * prefix, the port is taken, or a token can't be used.
 */
export async function startCrewService(options: CrewServiceOptions): Promise<CrewService> {
  const redis = await redisFor(options);
  try {
    const service = await startWith(withDefaults({ ...options, redisUrl: redis.url }));
    const endRedis = async <T>(value: T) => {
      await redis.end();
      return value;
    };
    return { ...service, close: () => service.close().then(endRedis), lost: service.lost.then(endRedis) };
  } catch (error) {
    await redis.end();
    throw error;
  }
}

/** The Redis that was named, or one of the service's own. */
async function redisFor({ redisUrl }: CrewServiceOptions): Promise<PrivateRedis> {
  if (redisUrl !== undefined) return { url: redisUrl, end: async () => {} };
  // biome-ignore lint/style/noProcessEnv: where programs are is a matter of the machine
  return startPrivateRedis(resolve('.crew-service/redis'), process.env);
}

async function startWith(settings: CrewServiceSettings): Promise<CrewService> {
  const hosted = await loadCrewFiles(settings.crewFiles, settings.crewProcesses);
  try {
    return await startHosting({ ...settings, crews: [...settings.crews, ...hosted.scripted] }, hosted);
  } catch (error) {
    await hosted.close();
    throw error;
  }
}

async function startHosting(settings: CrewServiceSettings, hosted: HostedCrews): Promise<CrewService> {
  const { keyPrefix, logger, tokens, crewTokens } = settings;
  const crewNames = differentNames([...settings.crews, ...hosted.coded], hosted.files);
  refuseFlows(settings, hosted.coded);
  checkTokens({ crewNames, tokens, crewTokens });
  const redis = await connectRedis(settings.redisUrl, logger);
  let lease: Lease | undefined;
  try {
    lease = await takeLease(redis, keyPrefix, logger);
    return await serve({ settings, hosted, crewNames, redis, lease });
  } catch (error) {
    await lease?.release().catch(() => {});
    redis.disconnect();
    throw error;
  }
}

/** Only one dialect can ask what flows ask. */
function refuseFlows({ dialect, crews }: CrewServiceSettings, hosted: readonly CrewCode[]): void {
  const coded = [...crews.filter((crew) => crew.kind === 'coded'), ...hosted];
  const flow = coded.find(({ tasks }) => tasks.some(({ method }) => method !== undefined));
  if (flow !== undefined && dialect.name !== 'flows')
    throw new Error(`"${flow.name}" is a flow: serve it in the dialect flows, not ${dialect.name}.`);
}

type Parts = {
  readonly settings: CrewServiceSettings;
  readonly hosted: HostedCrews;
  readonly crewNames: readonly string[];
  readonly redis: Redis;
  readonly lease: Lease;
};

async function serve({ settings, hosted, crewNames, redis, lease }: Parts): Promise<CrewService> {
  const { host, logger, dialect } = settings;
  const { server, runner, deliverer, dashboard, sandbox, stopping } = assembleCrewService(
    settings,
    redis,
    hosted.coded,
  );
  const closeServer = createCloser(server);
  let stopped: Promise<void> | undefined;

  /** Together less than the 10 seconds after which an operator, or a container, may end the process. */
  function stop(answersMs: number): Promise<void> {
    stopping.abort(new Error('the crew service is stopping'));
    const steps = [
      { name: 'requests', withinMs: answersMs + 250, stop: () => closeServer(answersMs) },
      { name: 'runs', withinMs: 3_250, stop: () => runner.close() },
      { name: 'crew processes', withinMs: 500, stop: () => hosted.close() },
      { name: 'webhooks', withinMs: 2_250, stop: () => deliverer.close() },
      { name: 'lease', withinMs: 500, stop: () => lease.release() },
    ];
    stopped ??= stopInOrder(steps, logger).finally(() => redis.disconnect());
    return stopped;
  }

  const lost = lease.lost.then(async (error) => {
    logger.fatal({ error: error.message }, 'the crew service stops');
    await stop(0);
    return error;
  });
  const close = () => stop(LONGEST_ANSWERS_MS);

  try {
    await dashboard.load();
    const port = await listen(server, settings.port, host);
    const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    dashboard.serveAt(origin);
    await deliverer.start();
    await runner.start();
    logger.info({ origin, dialect: dialect.name, crews: crewNames }, 'crew service started');
    return { port, origin, crewNames, baseUrlOf: (crew) => `${origin}/crews/${crew}`, sandbox, close, lost };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new Error(`The crew service can't listen on port ${port} of ${host}: ${error.message}`, { cause: error });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The service put together, but not yet listening or working. */
type CrewServiceParts = {
  readonly server: Server;
  readonly runner: Runner;
  readonly deliverer: Deliverer;
  readonly dashboard: Dashboard;
  readonly sandbox: CrewSandbox;
  /** Aborted when the service stops. */
  readonly stopping: AbortController;
};

/** @param hosted the crews whose code runs elsewhere */
function assembleCrewService(
  settings: CrewServiceSettings,
  redis: Redis,
  hosted: readonly CrewCode[],
): CrewServiceParts {
  const { keyPrefix, dialect, tokens, crewTokens, logger } = settings;
  const stopping = createStopController();
  const store = createStore(redis, keyPrefix, settings.retentionMs);
  const scripts = createScripts(redis, keyPrefix);
  const gates = createGates(redis, keyPrefix, logger);
  const { model } = settings;
  const inProcess = settings.crews.map((crew) => codeInProcess(crew, { gates, model }));
  const crews = new Map([...inProcess, ...hosted].map((crew) => [crew.name, crew]));
  const faults = createFaults();
  const records = createRecords();
  const deliverer = createDeliverer({ store, retry: settings.webhookRetry, faults, records, logger });
  const deliver = (deliveries: readonly Delivery[]) => deliverer.deliver(deliveries);
  const dashboard = createDashboard(redis, keyPrefix, settings.dashboard);
  const notify: Notify = {
    deliver,
    deliveriesFor: (change, before) => deliveriesFor(change, before, { dialect, dashboard }, Date.now()),
  };
  const runner = createRunner({ crews, store, ...notify, logger });
  const pickUp = createPickUp({ settings, store, runner, deliver, signal: stopping.signal });
  const own = new Map(Object.entries(crewTokens));
  const executions = createExecutions({
    ...{ store, scripts, dialect, ...notify, pickUp },
    drive: runner.drive,
    maySee: (caller, run) => maySee({ caller, run, access: (own.get(run.crew) ?? tokens).userAccess ?? 'own' }),
  });
  const revocations = createRevocations(redis, keyPrefix);
  const sandbox = createCrewSandbox({ scripts, gates, faults, records, revocations, store, dashboard, executions });
  const server = createCrewServer({
    answer: createRoutes({ crews, dialect, revocations, executions, store }),
    description: describeService(dialect),
    answerSandbox: settings.sandboxApi === 'on' ? createSandboxRoutes(sandbox, tokens) : undefined,
    identify: createIdentify({ crewNames: [...crews.keys()], tokens, crewTokens }),
    ...{ dialect, faults, gates, records, logger },
    bodyLimitBytes: settings.bodyLimitBytes,
    requestTimeoutMs: settings.requestTimeoutMs,
    stopping: stopping.signal,
  });
  return { server, runner, deliverer, dashboard, sandbox, stopping };
}

type PickUpParts = {
  readonly settings: CrewServiceSettings;
  readonly store: Store;
  readonly runner: Runner;
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  readonly signal: AbortSignal;
};

/** Continues a run, and its deliveries, when it is unknown whether its last change was stored. */
function createPickUp({ settings, store, runner, deliver, signal }: PickUpParts): (run: Run) => void {
  return (run) => {
    runner.drive(run.id);
    const pending = retryUntilSuccess(() => store.deliveriesOf(run.executionId), signal, settings.logger);
    void pending.then(deliver).catch(() => {});
  };
}

type StopStep = {
  /** The part that is being stopped, for the log. */
  readonly name: string;
  readonly withinMs: number;
  readonly stop: () => Promise<void>;
};

/** Stops one thing after another. What takes too long, or fails, keeps none of the following from being stopped. */
async function stopInOrder(steps: readonly StopStep[], logger: Logger): Promise<void> {
  for (const { name, withinMs, stop } of steps) {
    const failure = stop().catch(String);
    const result = (await settlesWithin(withinMs, failure)) ? await failure : 'too long';
    if (result !== undefined) logger.warn({ step: name, result }, 'not stopped in time or in order');
  }
}

export function exampleCrewFile(options: ExampleCrewsOptions): CrewFile {
  return { file: fileURLToPath(EXAMPLE_CREWS), options };
}
