import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { StoreUnavailable } from '../../core/ports.ts';
import { type Encryption, parseRedisUrl, type RedisAddress } from './address.ts';
import { ANSWER_MS, insist, type RedisClient, reasonOf, replyCode } from './call.ts';

export interface ConnectOptions {
  /**
   * Told of each lost or refused connection. The text names no password and no content; the code is what Redis answered
   * where it refused, such as `WRONGPASS`.
   */
  onTrouble: (reason: string, code: string | null) => void;
}

const RECONNECT = { firstMs: 50, mostMs: 2_000 };
const PING_MS = 1_000;

/**
 * Begins to connect, and goes on trying for ever. Nothing waits in line while there is no connection: a command then
 * fails after the time within which a click has to be answered.
 * @param url as `parseRedisUrl` reads it
 */
export function connectRedis(url: string, { onTrouble }: ConnectOptions): RedisClient {
  const address = parseRedisUrl(url);
  if (!address.ok) throw new TypeError(`REDIS_URL ${address.refusal}.`);
  const redis = open(address.value);
  redis.on('error', (error: unknown) => onTrouble(reasonOf(error), replyCode(lastOf(error))));
  return redis;
}

/** Of a Cluster, what the last server said that was asked. */
function lastOf(error: unknown): unknown {
  return error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
}

/**
 * Resolves when Redis answers. Where the address names a database, it has to be there: the client alone would go on in
 * database 0. @throws {StoreUnavailable} when it isn't so within a second
 */
export async function pingRedis(redis: RedisClient): Promise<void> {
  const database = redis instanceof Cluster ? 0 : (redis.options.db ?? 0);
  await insist(redis, performance.now() + PING_MS, () => (database === 0 ? redis.ping() : redis.select(database)));
}

/** Ends the connection after the answers that are under way, or at once where none come. */
export async function closeRedis(redis: RedisClient): Promise<void> {
  try {
    if (redis.status === 'ready') await insist(redis, performance.now() + PING_MS, () => redis.quit());
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  } finally {
    redis.disconnect();
  }
}

function open(address: RedisAddress): RedisClient {
  switch (address.kind) {
    case 'single':
      return new Redis({ ...server(address), ...address.node, db: address.db, ...tls(address.encryption) });
    case 'socket':
      return new Redis({ ...server(address), path: address.path, db: address.db });
    case 'sentinel':
      return new Redis({
        ...server(address),
        sentinels: address.sentinels,
        name: address.name,
        db: address.db,
        ...(address.sentinelPassword === null ? {} : { sentinelPassword: address.sentinelPassword }),
        ...(address.encryption === 'tls' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
        sentinelRetryStrategy: backoffMs,
      });
    case 'cluster':
      return new Cluster(address.nodes, {
        enableOfflineQueue: false,
        clusterRetryStrategy: backoffMs,
        redisOptions: { ...shared(address), ...tls(address.encryption) },
      });
  }
}

/** How a connection to one server behaves: what can't be answered now is refused, and is asked again by us alone. */
function server(address: RedisAddress) {
  return {
    ...shared(address),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: backoffMs,
    // After a failover the old master is a replica, and the name leads to the new one.
    reconnectOnError: (error) => replyCode(error) === 'READONLY',
  } satisfies RedisOptions;
}

function shared({ username, password }: RedisAddress) {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    autoResendUnfulfilledCommands: false,
    commandTimeout: ANSWER_MS,
    // A connection that a firewall dropped in silence is noticed by its first unanswered command.
    socketTimeout: 2 * ANSWER_MS,
    connectTimeout: ANSWER_MS,
    connectionName: 'signoff',
  };
}

function tls(encryption: Encryption) {
  return encryption === 'tls' ? { tls: {} } : {};
}

function backoffMs(tries: number): number {
  const { firstMs, mostMs } = RECONNECT;
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries, 10)) * (0.75 + Math.random() / 2);
}
