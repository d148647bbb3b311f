import { once } from 'node:events';
import type { Server } from 'node:http';
import { assembleCrewService } from './assemble-crew-service.ts';
import { type CrewServiceOptions, withDefaults } from './options.ts';
import { connectRedis } from './redis/connect-redis.ts';
import type { CrewSandbox } from './sandbox-api/crew-sandbox.ts';

export interface CrewService {
  readonly port: number;
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** A crew's `{base_url}`: the specification's routes are below it. */
  baseUrlOf(crew: string): string;
  /** For tests: scripts, gates, faults, records. */
  readonly sandbox: CrewSandbox;
  /** Stops serving and working. Unfinished work resumes when a service starts with the same Redis and prefix. */
  close(): Promise<void>;
}

/**
 * Starts the service and resumes what an earlier one left unfinished in Redis.
 * Rejects if Redis can't be reached or the port is taken.
 */
export async function startCrewService(options: CrewServiceOptions): Promise<CrewService> {
  const settings = withDefaults(options);
  const { host, logger, dialect } = settings;
  const redis = await connectRedis(settings.redisUrl, logger);
  const { server, runner, deliverer, sandbox, stopping } = assembleCrewService(settings, redis);

  async function close(): Promise<void> {
    stopping.abort(new Error('the crew service is stopping'));
    await closeServer(server);
    await runner.close();
    await deliverer.close();
    redis.disconnect();
  }

  try {
    const port = await listen(server, settings.port, host);
    await deliverer.start();
    await runner.start();
    const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    logger.info(
      { origin, dialect: dialect.name, crews: options.crews.map(({ name }) => name) },
      'crew service started',
    );
    return { port, origin, baseUrlOf: (crew) => `${origin}/crews/${crew}`, sandbox, close };
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

async function closeServer(server: Server): Promise<void> {
  const closed = server.listening ? once(server, 'close') : undefined;
  server.close();
  server.closeAllConnections();
  await closed;
}
