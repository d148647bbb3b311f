import { Cluster, type Redis } from 'ioredis';
import { type RedisClient, replyCode } from './call.ts';
import { nodeOf } from './per-node.ts';

const RETRY_MS = 500;
const CHECKS = 4;

interface SubscriptionOptions {
  channel: string;
  /** After this time without a message, another connection is made: they are sent more often than that. */
  silentMs: number;
  onMessage: (message: string) => void;
  /** Whenever messages begin to arrive. */
  onOpen?: () => void;
}

/**
 * Hears a channel on a connection of its own. In a Cluster, that is to any node, since each tells what any of them is told;
 * the client's own subscription would stay with a node that hangs.
 */
export class Subscription {
  readonly #redis: RedisClient;
  readonly #options: SubscriptionOptions;
  #connection: Redis | null = null;
  #heardAt = 0;
  #checking: NodeJS.Timeout | undefined;
  #opening: NodeJS.Timeout | undefined;

  constructor(redis: RedisClient, options: SubscriptionOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  start(): void {
    this.#open();
    this.#checking = setInterval(() => this.#replaceSilent(), this.#options.silentMs / CHECKS).unref();
  }

  close(): void {
    clearInterval(this.#checking);
    clearTimeout(this.#opening);
    this.#leave();
  }

  #open(previous?: Redis): void {
    const server = this.#serverAfter(previous);
    if (server) this.#follow(server.duplicate({ lazyConnect: true, retryStrategy: null }));
    else this.#openLater();
  }

  #follow(connection: Redis): void {
    this.#connection = connection;
    this.#heardAt = Number.POSITIVE_INFINITY;
    connection.on('message', (_channel: string, message: string) => {
      this.#heardAt = performance.now();
      this.#options.onMessage(message);
    });
    // The connection for commands reports what is wrong with Redis.
    connection.on('error', () => {});
    connection.on('end', () => {
      if (this.#connection === connection) this.#openLater();
    });
    void this.#subscribe(connection);
  }

  async #subscribe(connection: Redis): Promise<void> {
    try {
      await connection.connect();
      await connection.subscribe(this.#options.channel);
      if (this.#connection !== connection) return;
      this.#heardAt = performance.now();
      this.#options.onOpen?.();
    } catch (error) {
      // A user who may not subscribe here may not do so on another connection either.
      if (replyCode(error) === null) connection.disconnect();
    }
  }

  #openLater(): void {
    const previous = this.#leave();
    this.#opening = setTimeout(() => this.#open(previous), RETRY_MS).unref();
  }

  #replaceSilent(): void {
    if (performance.now() - this.#heardAt > this.#options.silentMs) this.#open(this.#leave());
  }

  /** No longer hears the connection. Where the other side hangs, it takes some time until it has ended. */
  #leave(): Redis | undefined {
    const connection = this.#connection ?? undefined;
    this.#connection = null;
    connection?.removeAllListeners('message').disconnect();
    return connection;
  }

  /** Preferably one that the last connection didn't lead to. */
  #serverAfter(previous: Redis | undefined): Redis | undefined {
    if (!(this.#redis instanceof Cluster)) return this.#redis;
    // One that no command has needed yet isn't connected either.
    const nodes = this.#redis.nodes('master').filter(({ status }) => status === 'ready' || status === 'wait');
    const others = nodes.filter((node) => !previous || nodeOf(node) !== nodeOf(previous));
    const choice = others.length > 0 ? others : nodes;
    return choice[Math.floor(Math.random() * choice.length)];
  }
}
