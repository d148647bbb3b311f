import { Cluster, type Redis } from 'ioredis';
import { type RedisClient, replyCode } from './call.ts';
import { nodeOf } from './per-node.ts';

const RETRY_MS = 500;
const CHECKS = 4;

interface SubscriptionOptions {
  channel: string;
  /** Silence after which another connection is made. Messages come more often than that. */
  silentMs: number;
  onMessage: (message: string) => void;
  /** Called whenever messages begin to arrive. */
  onOpen?: () => void;
}

/**
 * Subscribes to a channel on a connection of its own. In a Cluster, any node will do, because each forwards all messages; the
 * client's own subscription would stay with a node that hangs.
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
      // Another connection doesn't help if Redis forbids this user to subscribe.
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

  /** Stops listening to the connection. If the other side hangs, its end takes some time. */
  #leave(): Redis | undefined {
    const connection = this.#connection ?? undefined;
    this.#connection = null;
    connection?.removeAllListeners('message').disconnect();
    return connection;
  }

  /** Returns a server, preferably another one than that of the last connection. */
  #serverAfter(previous: Redis | undefined): Redis | undefined {
    if (!(this.#redis instanceof Cluster)) return this.#redis;
    // A node that no command has needed yet isn't connected either.
    const nodes = this.#redis.nodes('master').filter(({ status }) => status === 'ready' || status === 'wait');
    const others = nodes.filter((node) => !previous || nodeOf(node) !== nodeOf(previous));
    const choice = others.length > 0 ? others : nodes;
    return choice[Math.floor(Math.random() * choice.length)];
  }
}
