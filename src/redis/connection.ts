import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { StoreUnavailable } from '../core/ports.ts';
import { backoffMs } from '../core/values/time.ts';
import { type Encryption, parseRedisUrl, type RedisAddress } from './address.ts';
import { ANSWER_MS, CLUSTER_RETRY_MS, insist, type RedisClient, reasonOf, replyCode } from './call.ts';
import { nodeOf } from './per-node.ts';
import { followSentinels, Sentinels } from './sentinels.ts';

// Connects the bot and its tools to Redis.

interface ConnectOptions {
  /** Called for each lost or refused connection, without password or content. `code`: Redis' code, such as `WRONGPASS`. */
  onTrouble: (reason: string, code: string | null) => void;
  /** Called for each node of a Cluster that is lost or back. */
  nodes?: NodeListener;
  /** Called when sentinels announce a failover, and when it is over. Nothing is acknowledged in between. */
  onFailover?: (state: 'announced' | 'over') => void;
}

/** The pause is at most a second with the jitter, so that people who click soon after an outage aren't refused again. */
const RECONNECT = { firstMs: 50, mostMs: 800 };
const PING_MS = 1_000;
/** Interval for asking a server whether it has loaded its data. Its own estimate can be far too long. */
const LOADED_MS = 500;

/**
 * Starts connecting, and never gives up. Commands without a connection aren't queued: they fail within the time in which a click
 * must be answered.
 * @param url as `parseRedisUrl` reads it
 */
export function connectRedis(url: string, { onTrouble, nodes, onFailover }: ConnectOptions): RedisClient {
  const address = parseRedisUrl(url);
  if (!address.ok) throw new TypeError(`REDIS_URL ${address.refusal}.`);
  const redis = open(address.value, onFailover);
  redis.on('error', (error: unknown) => onTrouble(reasonOf(error), replyCode(lastOf(error))));
  if (nodes && redis instanceof Cluster) followNodes(redis, nodes);
  return redis;
}

/** Returns the error of the last node that the client of a Cluster tried. */
function lastOf(error: unknown): unknown {
  return error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
}

/**
 * Resolves when Redis answers. If the address names a database, it must exist: the client alone would silently go on in
 * database 0. @throws {StoreUnavailable} after a second
 */
export async function pingRedis(redis: RedisClient): Promise<void> {
  const database = redis instanceof Cluster ? 0 : (redis.options.db ?? 0);
  await insist(redis, performance.now() + PING_MS, () => (database === 0 ? redis.ping() : redis.select(database)));
}

/** Closes the connection after the pending answers, or after `withinMs` if none come. */
export async function closeRedis(redis: RedisClient, withinMs: number = PING_MS): Promise<void> {
  try {
    if (redis.status === 'ready') await insist(redis, performance.now() + withinMs, () => redis.quit());
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  } finally {
    const isBetweenTries = redis.status === 'reconnecting';
    redis.disconnect();
    // Between tries, the client itself wouldn't report its end, and whatever waits for that would keep the process alive.
    if (isBetweenTries) redis.emit('end');
  }
}

function open(address: RedisAddress, onFailover: ConnectOptions['onFailover']): RedisClient {
  switch (address.kind) {
    case 'single':
      return new Redis({ ...server(address), ...address.node, db: address.db, ...tls(address.encryption) });
    case 'socket':
      return new Redis({ ...server(address), path: address.path, db: address.db });
    case 'sentinel': {
      const sentinels = new Sentinels(address, onFailover);
      const redis = new Redis({
        ...server(address),
        db: address.db,
        Connector: sentinels.connector(),
      });
      followSentinels(redis, sentinels);
      return redis;
    }
    case 'cluster':
      return new Cluster(address.nodes, {
        enableOfflineQueue: false,
        clusterRetryStrategy: reconnectMs,
        retryDelayOnFailover: CLUSTER_RETRY_MS,
        redisOptions: { ...shared(address), ...tls(address.encryption) },
      });
  }
}

/** Returns the options of a connection to one server. It fails fast: only our own code retries. */
function server(address: RedisAddress) {
  return {
    ...shared(address),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectMs,
    // The old master is a replica after a failover, and the name resolves to the new one.
    reconnectOnError: (error) => replyCode(error) === 'READONLY',
  } satisfies RedisOptions;
}

function shared({ username, password }: RedisAddress) {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    autoResendUnfulfilledCommands: false,
    commandTimeout: ANSWER_MS,
    // The first unanswered command reveals a connection that a firewall dropped silently.
    socketTimeout: 2 * ANSWER_MS,
    connectTimeout: ANSWER_MS,
    maxLoadingRetryTime: LOADED_MS,
    connectionName: 'signoff',
  };
}

function tls(encryption: Encryption) {
  return encryption === 'tls' ? { tls: {} } : {};
}

/** Adds jitter, so that processes that lost the same server don't come back all at once. */
function reconnectMs(tries: number): number {
  return backoffMs(tries, RECONNECT) * (0.75 + Math.random() / 2);
}

interface NodeListener {
  /** Called once for each time that a node is away. */
  onAway(node: string, reason: string): void;
  onBack(node: string): void;
}

/** Watches the connections to the nodes of a Cluster, whose client doesn't report a lost node while others answer. */
function followNodes(cluster: Cluster, { onAway, onBack }: NodeListener): void {
  const away = new Set<string>();
  // Each attempt to reach a node again is a new connection.
  cluster.on('+node', (connection: Redis) => {
    const node = nodeOf(connection);
    let reason = 'the connection was closed';
    connection.on('error', (error: unknown) => {
      reason = reasonOf(error);
    });
    connection.on('close', () => {
      // A node that the client has left by itself isn't lost.
      const isLost = cluster.status === 'ready' && cluster.nodes().includes(connection);
      if (away.has(node) || !isLost) return;
      away.add(node);
      onAway(node, reason);
    });
    connection.on('ready', () => {
      if (away.delete(node)) onBack(node);
    });
  });
}
