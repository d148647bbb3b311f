import { once } from 'node:events';
import { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import type { Crew } from './define-crew.ts';
import { type DialectName, dialects } from './dialects/dialect.ts';
import { createExecutions } from './executions/executions.ts';
import type { Run } from './executions/run.ts';
import { createRunner } from './executions/runner.ts';
import type { Tokens } from './http/access.ts';
import { createRoutes } from './http/routes.ts';
import { createDoor } from './http/server.ts';
import { persistently } from './redis/retry-until-success.ts';
import { createStore } from './redis/store.ts';
import { type CrewSandbox, createCrewSandbox } from './sandbox-api/crew-sandbox.ts';
import { createFaults } from './sandbox-api/faults.ts';
import { createStage } from './sandbox-api/gates.ts';
import { createRecords } from './sandbox-api/records.ts';
import { createSandboxDoor } from './sandbox-api/sandbox-routes.ts';
import type { ScriptedCrew } from './sandbox-api/scripted-crew.ts';
import { createStopping } from './stop-controller.ts';
import { createDeliverer, type WebhookRetry } from './webhooks/deliverer.ts';
import type { Delivery } from './webhooks/delivery.ts';

export type CrewServiceOptions = {
  readonly crews: readonly (Crew | ScriptedCrew)[];
  readonly tokens: Tokens;
  /** Tokens of single crews, in place of `tokens`. */
  readonly crewTokens?: Readonly<Record<string, Tokens>>;
  /** `redis://…`, `rediss://…`, or a unix socket as `unix:///path` or `/path`. */
  readonly redisUrl: string;
  /** One process of the service a prefix. Default `crew-service:`. */
  readonly keyPrefix?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `spec`. */
  readonly dialect?: DialectName;
  /** Default: 12 tries over about 20 minutes in `spec`, one in `observed`; 1 s, doubling up to 5 minutes; 10 s to answer. */
  readonly webhookRetry?: Partial<WebhookRetry>;
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** How long ended executions are kept. Default 7 days. */
  readonly retentionMs?: number;
  /** Whether `/_sandbox/` answers other processes. Default: no. */
  readonly sandboxDoor?: 'open' | 'shut';
  /** Default: silent. */
  readonly logger?: Logger;
};

export interface CrewService {
  readonly port: number;
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** The `{base_url}` of a crew: the specification's routes are below it. */
  baseUrlOf(crew: string): string;
  /** For tests: scripts, gates, faults, records. */
  readonly sandbox: CrewSandbox;
  /** Stops answering and working. What was under way goes on when a service is started on the same Redis and prefix. */
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Starts the service and goes on with what an earlier one left in Redis.
 * Rejects where Redis can't be reached or the port is taken.
 */
export async function startCrewService(options: CrewServiceOptions): Promise<CrewService> {
  const {
    tokens,
    crewTokens = {},
    keyPrefix = 'crew-service:',
    host = '127.0.0.1',
    logger = pino({ level: 'silent' }),
  } = options;
  const dialect = dialects[options.dialect ?? 'spec'];
  const crews = new Map(options.crews.map((crew) => [crew.name, crew]));
  const redis = await connected(options.redisUrl, logger);
  const stopping = createStopping();

  const store = createStore(redis, keyPrefix, options.retentionMs ?? 7 * DAY_MS);
  const stage = createStage(redis, keyPrefix, logger);
  const faults = createFaults();
  const records = createRecords();
  const retry = {
    ...{ attempts: dialect.deliveryAttempts, firstPauseMs: 1_000, longestPauseMs: 300_000, timeoutMs: 10_000 },
    ...options.webhookRetry,
  };
  const deliverer = createDeliverer({ store, retry, faults, records, logger });
  const deliver = (deliveries: readonly Delivery[]) => deliverer.deliver(deliveries);
  const runner = createRunner({ crews, store, dialect, gates: stage, deliver, logger });
  const pickUp = (run: Run) => {
    runner.drive(run.id);
    const owed = persistently(() => store.deliveriesOf(run.executionId), stopping.signal, logger);
    void owed.then(deliver).catch(() => {});
  };
  const executions = createExecutions({ store, stage, dialect, drive: runner.drive, deliver, pickUp });
  const sandbox = createCrewSandbox({ stage, faults, records, store });

  const server = createDoor({
    answer: createRoutes({ crews, dialect, tokensOf: (crew) => crewTokens[crew] ?? tokens, executions, store }),
    answerSandbox: options.sandboxDoor === 'open' ? createSandboxDoor(sandbox, tokens) : undefined,
    dialect,
    faults,
    gates: stage,
    records,
    bodyLimitBytes: options.bodyLimitBytes ?? 1_048_576,
    stopping: stopping.signal,
    logger,
  });

  async function close(): Promise<void> {
    stopping.abort(new Error('the crew service is stopping'));
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    server.closeAllConnections();
    await closed;
    await runner.close();
    await deliverer.close();
    redis.disconnect();
  }

  try {
    server.listen(options.port ?? 0, host);
    await once(server, 'listening').catch((error: Error) => {
      throw new Error(`The crew service can't listen on port ${options.port ?? 0} of ${host}: ${error.message}`, {
        cause: error,
      });
    });
    await deliverer.start();
    await runner.start();
  } catch (error) {
    await close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  logger.info({ origin, dialect: dialect.name, crews: [...crews.keys()] }, 'crew service started');
  return { port, origin, baseUrlOf: (crew) => `${origin}/crews/${crew}`, sandbox, close };
}

/** A request fails after a moment without Redis; what runs in the background waits for it to come back. */
async function connected(redisUrl: string, logger: Logger): Promise<Redis> {
  const address = redisUrl.replace(/^unix:\/\//, '');
  if (/^rediss?:/.test(address) && !URL.canParse(address))
    throw new Error('The address of Redis is none. Characters of a password are written as %-codes where it has to.');
  const redis = new Redis(address, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', (error) => logger.debug({ error: error.message }, 'Redis connection'));
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new Error(`The crew service can't reach Redis at ${withoutPassword(redisUrl)}.`, { cause: error });
  }
  return redis;
}

/** A password may hold any character, the @ behind it too, and may stand behind the ? as well. */
function withoutPassword(redisUrl: string): string {
  return redisUrl.replace(/\/\/.*@/, '//').replace(/\?.*$/, '');
}
