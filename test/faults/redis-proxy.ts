import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { type ConnectionRules, ProxiedConnection, type RedisFault } from './proxied-connection.ts';
import type { RedisClock } from './redis-clock.ts';
import { type Command, writeCommand } from './redis-protocol.ts';
import type { SeenScripts } from './seen-scripts.ts';

/** A way to Redis that can break. */
export interface RedisProxy {
  readonly port: number;
  arm(fault: RedisFault): void;
  disarm(): void;
  /** What was changed so far, by the keys that each script names. */
  changes(): readonly string[];
  /** When the last change was asked for, by this process' own clock. */
  lastChangeAt(): number;
  /** How often the client looked at the due queue. */
  looks(): number;
  /** Delays each command by this many milliseconds. */
  slowDown(delayMs: number): void;
  /** Breaks all connections and takes no new ones, until `open`. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Whether what other bots announce reaches a bot. */
export type Announcements = 'heard' | 'lost';

/** What all proxies of a Redis share. */
export interface Behind {
  port: number;
  clock: RedisClock;
  scripts: SeenScripts;
}

/**
 * Starts a proxy of a Redis on this machine, at any free port.
 * @param announcements `lost`: its client hears only itself on the channels that it subscribed to
 */
export async function startRedisProxy(
  redis: Behind,
  { announcements = 'heard' }: { announcements?: Announcements } = {},
): Promise<RedisProxy> {
  const gate = new Gate(redis, announcements);
  const server = createServer((client) => gate.enter(client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    arm: (fault) => {
      gate.fault = fault;
    },
    disarm: () => {
      gate.fault = null;
    },
    changes: () => gate.changes,
    lastChangeAt: () => gate.lastChangeAt,
    looks: () => gate.looks,
    slowDown: (delayMs) => {
      gate.delayMs = delayMs;
    },
    shut: () => gate.shut(),
    open: () => {
      gate.isShut = false;
    },
    async close() {
      gate.shut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a look at the due queue answers begins with the claimed executions. */
const FOUND_SOME = /^\*\d+\r\n\*[1-9]/;

/** What all connections of a proxy have in common. */
class Gate implements ConnectionRules {
  fault: RedisFault | null = null;
  delayMs = 0;
  isShut = false;
  lastChangeAt = 0;
  looks = 0;
  readonly changes: string[] = [];
  readonly #redis: Behind;
  readonly #announcements: Announcements;
  readonly #sockets = new Set<Socket>();

  constructor(redis: Behind, announcements: Announcements) {
    this.#redis = redis;
    this.#announcements = announcements;
  }

  shut(): void {
    this.isShut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  enter(client: Socket): void {
    if (this.isShut) return void client.destroy();
    const redis = createConnection(this.#redis.port, '127.0.0.1');
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        redis.destroy();
      });
    }
    new ProxiedConnection(client, redis, this);
  }

  /** A heartbeat names only its process; a change names the execution, too. */
  hears(reply: Buffer): boolean {
    return this.#announcements === 'heard' || !(reply.includes('\r\nmessage\r\n') && reply.includes(' '));
  }

  /** The bytes to send to Redis, and the fault at this command. */
  take(command: Command): { bytes: Buffer; fault: RedisFault | null } {
    const adjusted = this.#redis.clock.adjust(command.words);
    const bytes = adjusted ? writeCommand(adjusted) : command.bytes;
    if (this.#redis.scripts.isLook(command.words)) this.looks += 1;
    const change = this.#redis.scripts.changeOf(command.words);
    if (change === null) return { bytes, fault: null };
    this.changes.push(change);
    this.lastChangeAt = performance.now();
    const isRecord = change === 'record';
    return { bytes, fault: this.#faultAt('change') ?? (isRecord ? this.#faultAt('record') : null) };
  }

  faultAfter({ words }: Command, reply: Buffer): RedisFault | null {
    const hasClaimed = this.#redis.scripts.isLook(words) && FOUND_SOME.test(reply.toString('latin1', 0, 16));
    return hasClaimed ? this.#faultAt('claim') : null;
  }

  #faultAt(place: RedisFault['at']): RedisFault | null {
    const { fault } = this;
    if (fault === null || (fault.at ?? 'change') !== place || --fault.countdown.left !== 0) return null;
    this.fault = null;
    return fault;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
