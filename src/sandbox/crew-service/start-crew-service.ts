import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Redis } from 'ioredis';
import { assembleCrewService } from './assemble-crew-service.ts';
import { differentNames } from './crew-process/different-names.ts';
import { type HostedCrews, loadCrewFiles } from './crew-process/load-crew-files.ts';
import { checkTokens } from './http/check-tokens.ts';
import { createCloser } from './http/close-server.ts';
import { type CrewServiceOptions, type CrewServiceSettings, withDefaults } from './options.ts';
import { connectRedis } from './redis/connect-redis.ts';
import { type Lease, takeLease } from './redis/lease.ts';
import type { CrewSandbox } from './sandbox-api/crew-sandbox.ts';
import { stopInOrder } from './stop-in-order.ts';

/** How long the requests in flight have when the service stops. */
const LONGEST_ANSWERS_MS = 2_500;

export interface CrewService {
  readonly port: number;
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  readonly crewNames: readonly string[];
  /** A crew's `{base_url}`: the specification's routes are below it. */
  baseUrlOf(crew: string): string;
  /** For tests: scripts, gates, faults, records. */
  readonly sandbox: CrewSandbox;
  /**
   * Answers what is in flight, and stops serving and working, within 10 seconds. Unfinished work resumes when a service
   * starts with the same Redis and prefix.
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
  const settings = withDefaults(options);
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

type Parts = {
  readonly settings: CrewServiceSettings;
  readonly hosted: HostedCrews;
  readonly crewNames: readonly string[];
  readonly redis: Redis;
  readonly lease: Lease;
};

async function serve({ settings, hosted, crewNames, redis, lease }: Parts): Promise<CrewService> {
  const { host, logger, dialect } = settings;
  const { server, runner, deliverer, sandbox, stopping } = assembleCrewService(settings, redis, hosted.coded);
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
    const port = await listen(server, settings.port, host);
    await deliverer.start();
    await runner.start();
    const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
