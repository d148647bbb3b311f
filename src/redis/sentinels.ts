import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis } from 'ioredis';
import { z } from 'zod';
import { StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import { type Node, nameOf, type RedisAddress } from './address.ts';
import { type Deadline, pairsIn, type RedisClient, reasonOf, replyCode } from './call.ts';

// Follows the sentinels of a Redis, which know the current master and announce when another server takes its place.
// https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#sentinel-api

const ASK_EVERY_MS = 500;
/** Shorter than any sensible `down-after-milliseconds`, so that no failover begins unnoticed. */
export const SILENT_MS = 1_500;
/** The other sentinels know within two seconds what one has carried out, unless it died before that. */
const MOST_SILENCE_MS = 10_000;
/** Time after the start from which fewer sentinels than a majority suffice to find the master. */
const GATHER_MS = 1_000;
const LOOK_EVERY_MS = 25;
const TELL_EVERY_MS = 1_000;

/**
 * We ask again after each of these events whether a failover is under way:
 * https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#pubsub-messages
 */
const EVENTS = ['+try-failover', '+failover-state-*', '+promoted-slave', '+switch-master', '-failover-abort-*'];

export type SentinelAddress = Extract<RedisAddress, { kind: 'sentinel' }>;

const ALL = new WeakMap<RedisClient, Sentinels>();

/** Returns the sentinels by which a client finds its master; undefined if it doesn't use any. */
export function sentinelsOf(redis: RedisClient): Sentinels | undefined {
  return ALL.get(redis);
}

/** Remembers a client's sentinels, and closes them with it. */
export function followSentinels(redis: RedisClient, sentinels: Sentinels): void {
  ALL.set(redis, sentinels);
  redis.once('end', () => sentinels.close());
}

/** Returns the options for a connection to a sentinel, which has no data to load. */
export function wayTo(node: Node, { sentinelPassword, encryption }: SentinelAddress) {
  return {
    ...node,
    ...(sentinelPassword !== null && { password: sentinelPassword }),
    ...(encryption === 'tls' && { tls: {} }),
    enableReadyCheck: false,
  };
}

/** Listens to every sentinel of a master, also to those that other sentinels name. */
export class Sentinels {
  readonly #address: SentinelAddress;
  readonly #links: SentinelLink[] = [];
  readonly #startedAt = performance.now();
  readonly #listeners = new Set<() => void>();
  readonly #onFailover: (state: 'announced' | 'over') => void;
  #changes = 0;
  #wasFailingOver = false;
  #isClosed = false;

  /** @param onFailover called when a failover is announced, and when it is over */
  constructor(address: SentinelAddress, onFailover: (state: 'announced' | 'over') => void = () => {}) {
    this.#address = address;
    this.#onFailover = onFailover;
    for (const node of address.sentinels) this.#follow(node);
  }

  /** Returns the master by the newest configuration of the sentinels that answer; null while too few have answered. */
  master(): Node | null {
    const isGathered = this.isMajorityHeard() || performance.now() - this.#startedAt > GATHER_MS;
    return isGathered ? (this.#answers()[0]?.master ?? null) : null;
  }

  isMajorityHeard(): boolean {
    return this.#answers().length > this.#count() / 2;
  }

  /** Returns true while a sentinel has announced a failover that hasn't ended. */
  isFailingOver(): boolean {
    // A promoted server has a new configuration before anybody is told to follow it.
    const inForce = this.#answers().find(({ isFailingOver }) => !isFailingOver)?.epoch ?? 0;
    return this.#links.some((link) => link.isFailingOver(inForce));
  }

  /**
   * Resolves when writes last: no failover is announced, and if a `majority` must be heard, none can begin unannounced. Resolves
   * to the argument for `hasChanged`. @throws {StoreUnavailable} if that isn't so by the deadline
   */
  async untilQuiet(until: Deadline, quorum: 'majority' | 'any'): Promise<number> {
    for (;;) {
      const isHeard = quorum === 'any' || this.isMajorityHeard();
      if (isHeard && !this.isFailingOver()) return this.#changes;
      if (performance.now() + LOOK_EVERY_MS >= until)
        throw new StoreUnavailable(isHeard ? 'A failover of Redis is under way.' : `${this.#silence()}.`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Returns true if a failover has begun or ended since. */
  hasChanged(since: number): boolean {
    return this.#changes !== since || this.isFailingOver();
  }

  /** Returns why this process may be connected to a former master; null if it can't be. */
  trouble(): string | null {
    return this.isMajorityHeard() ? null : this.#silence();
  }

  /** Returns a class that makes connections to the master, which end when there is another one. */
  connector() {
    return connectorTo(this, this.#address);
  }

  /** Calls back when the master may have changed. Returns a function that stops that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the reasons why sentinels don't answer. */
  reasons(): string {
    const reasons = this.#links.flatMap(({ isHeard, node, reason }) => (isHeard ? [] : [`${nameOf(node)}: ${reason}`]));
    return [this.#silence(), ...reasons].join('; ');
  }

  close(): void {
    this.#isClosed = true;
    for (const link of this.#links) link.close();
  }

  #follow(node: Node): void {
    if (this.#isClosed || this.#links.some((link) => nameOf(link.node) === nameOf(node))) return;
    const link = new SentinelLink(node, this.#address, {
      onChange: () => {
        this.#changes += 1;
        for (const listener of this.#listeners) listener();
        this.#tellFailover();
      },
      onAsked: () => this.#tellFailover(),
      onOthers: (others) => {
        for (const { id, node: other } of others)
          if (!this.#links.some((each) => each.isHeard && each.id === id)) this.#follow(other);
        this.#leaveNeedless(others);
      },
    });
    this.#links.push(link);
  }

  /** Closes links to sentinels that only others named, once they answer at another address or nobody names them. */
  #leaveNeedless(others: SentinelLink['others']): void {
    const answering = this.#links.filter(({ isHeard }) => isHeard);
    const tellings = [others, ...answering.map((link) => link.others)].flat();
    const names = new Set(tellings.map(({ node }) => nameOf(node)));
    const own = new Set(this.#address.sentinels.map(nameOf));
    for (const link of [...this.#links]) {
      const isElsewhere = this.#links.some((each) => each !== link && each.isHeard && each.id === link.id);
      const isGone = !link.isHeard && !names.has(nameOf(link.node));
      if (own.has(nameOf(link.node)) || !(isElsewhere || isGone)) continue;
      link.close();
      this.#links.splice(this.#links.indexOf(link), 1);
    }
  }

  #tellFailover(): void {
    const isFailingOver = this.isFailingOver();
    if (isFailingOver !== this.#wasFailingOver) this.#onFailover(isFailingOver ? 'announced' : 'over');
    this.#wasFailingOver = isFailingOver;
  }

  /** Returns the answers of the sentinels, newest configuration first. One sentinel may have several addresses. */
  #answers(): SentinelAnswer[] {
    const answers = new Map(
      this.#links.flatMap(({ id, isHeard, answer }) => (isHeard && answer ? [[id, answer]] : [])),
    );
    return [...answers.values()].sort((one, other) => other.epoch - one.epoch);
  }

  #count(): number {
    const answers = this.#answers();
    if (answers.length === 0) return this.#address.sentinels.length;
    return Math.max(...answers.map(({ sentinels }) => sentinels));
  }

  #silence(): string {
    return `only ${this.#answers().length} of ${this.#count()} sentinels answer`;
  }
}

interface SentinelAnswer {
  master: Node;
  /** Grows with each failover. */
  epoch: number;
  isFailingOver: boolean;
  mostMs: Millis;
  /** Number of all sentinels. */
  sentinels: number;
}

/** Sentinels answer with alternating names and values: https://redis.io/docs/latest/commands/sentinel-master/ */
export const FIELDS = z.array(z.string()).transform((fields): unknown => Object.fromEntries(pairsIn(fields)));

const MASTER = FIELDS.pipe(
  z.object({
    ip: z.string(),
    port: z.coerce.number(),
    flags: z.string(),
    'config-epoch': z.coerce.number(),
    'failover-timeout': z.coerce.number(),
    'num-other-sentinels': z.coerce.number(),
  }),
).transform(
  ({ ip, port, flags, ...numbers }): SentinelAnswer => ({
    master: { host: ip, port },
    epoch: numbers['config-epoch'],
    isFailingOver: flags.includes('failover_in_progress'),
    mostMs: numbers['failover-timeout'],
    sentinels: numbers['num-other-sentinels'] + 1,
  }),
);

/** The other sentinels that a sentinel knows: https://redis.io/docs/latest/commands/sentinel-sentinels/ */
export const OTHERS = z.array(
  FIELDS.pipe(z.object({ ip: z.string(), port: z.coerce.number(), runid: z.string() })).transform(
    ({ ip, port, runid: id }) => ({ id, node: { host: ip, port } }),
  ),
);

interface LinkEvents {
  /** Called when a failover has begun or ended. */
  onChange: () => void;
  /** Called after each question, answered or not. */
  onAsked: () => void;
  onOthers: (others: z.infer<typeof OTHERS>) => void;
}

/** A link to one sentinel: asks it twice a second, and receives its announcements in between. */
class SentinelLink {
  readonly node: Node;
  /** The reason why it doesn't answer, as far as known. */
  reason = 'no answer yet';
  id: string;
  answer: SentinelAnswer | null = null;
  /** The other sentinels as this one knows them. They may come, go and move. */
  others: z.infer<typeof OTHERS> = [];
  readonly #name: string;
  readonly #events: LinkEvents;
  readonly #asking: Redis;
  readonly #hearing: Redis;
  readonly #timer: NodeJS.Timeout;
  #isListening = false;
  /** Id of the sentinel whose announcements arrive. */
  #idOfHearing = '';
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The announced failover that hasn't ended, as far as the sentinel has said. */
  #announced: { at: number; epoch: number } | null = null;

  constructor(node: Node, address: SentinelAddress, events: LinkEvents) {
    this.node = node;
    this.id = nameOf(node);
    this.#name = address.name;
    this.#events = events;
    const open = () => {
      const connection = new Redis({
        ...wayTo(node, address),
        enableOfflineQueue: false,
        autoResubscribe: false,
        maxRetriesPerRequest: 0,
        commandTimeout: SILENT_MS,
        connectTimeout: SILENT_MS,
        socketTimeout: SILENT_MS,
        retryStrategy: () => ASK_EVERY_MS / 2,
        connectionName: 'signoff',
      });
      connection.on('error', (error: unknown) => {
        this.reason = reasonOf(error);
      });
      return connection;
    };
    this.#asking = open();
    this.#hearing = open();
    this.#asking.on('ready', () => void this.#introduce());
    this.#hearing.on('ready', () => void this.#listen());
    this.#hearing.on('close', () => {
      this.#isListening = false;
    });
    this.#hearing.on('pmessage', (_pattern: string, _event: string, message: string) => this.#hear(message));
    this.#timer = setInterval(() => void this.#ask(), ASK_EVERY_MS).unref();
  }

  /** True if it answers, and if its announcements arrive. */
  get isHeard(): boolean {
    const isSame = this.#isListening && this.#idOfHearing === this.id;
    return isSame && performance.now() - this.#answeredAt < SILENT_MS;
  }

  /** @param inForce the epoch of the newest configuration that a sentinel has carried out */
  isFailingOver(inForce: number): boolean {
    if (this.#announced === null) return this.isHeard && this.answer?.isFailingOver === true;
    const { at, epoch } = this.#announced;
    const now = performance.now();
    if (inForce > epoch || now - at > (this.answer?.mostMs ?? Number.POSITIVE_INFINITY)) return false;
    return now - Math.max(at, this.#answeredAt) < MOST_SILENCE_MS;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#asking.disconnect();
    this.#hearing.disconnect();
  }

  async #introduce(): Promise<void> {
    try {
      this.id = await this.#idOn(this.#asking);
    } catch (error) {
      this.reason = reasonOf(error);
    }
    await this.#ask();
  }

  async #listen(): Promise<void> {
    try {
      this.#idOfHearing = await this.#idOn(this.#hearing);
      await this.#hearing.psubscribe(...EVENTS);
      this.#isListening = this.#hearing.status === 'ready';
    } catch (error) {
      this.reason = reasonOf(error);
      this.#hearing.disconnect(true);
    }
  }

  /** Returns the sentinel's id, or its address before Redis 6.2, which has no such command. */
  async #idOn(connection: Redis): Promise<string> {
    try {
      return String(await connection.call('SENTINEL', 'MYID'));
    } catch (error) {
      if (replyCode(error) === 'ERR') return nameOf(this.node);
      throw error;
    }
  }

  async #ask(): Promise<void> {
    if (this.#asking.status !== 'ready') return;
    const askedAt = performance.now();
    try {
      const answer = MASTER.parse(await this.#asking.call('SENTINEL', 'MASTER', this.#name));
      const before = this.answer;
      this.answer = answer;
      this.#answeredAt = performance.now();
      const hasEnded = this.#announced !== null && this.#announced.at < askedAt && !answer.isFailingOver;
      if (hasEnded) this.#announced = null;
      const isSame = before?.epoch === answer.epoch && before.isFailingOver === answer.isFailingOver;
      if (hasEnded || !isSame) this.#events.onChange();
      this.others = OTHERS.parse(await this.#asking.call('SENTINEL', 'SENTINELS', this.#name));
      this.#events.onOthers(this.others);
      if (this.#isListening && this.#idOfHearing !== this.id) await this.#meetAgain();
    } catch (error) {
      this.reason = reasonOf(error);
    }
    this.#events.onAsked();
    // A ping keeps firewalls from cutting a silent connection.
    if (this.#isListening) void this.#hearing.ping().catch(() => {});
  }

  /** Reconnects the listening connection if it leads to another sentinel than the one that we ask: several may share an address. */
  async #meetAgain(): Promise<void> {
    this.id = await this.#idOn(this.#asking);
    if (this.#idOfHearing === this.id) return;
    this.reason = 'its address leads to several sentinels';
    this.#hearing.disconnect(true);
  }

  #hear(message: string): void {
    // Each message names the master, some after the replica that it is about: `slave … @ name host port`.
    if (!` ${message} `.includes(` ${this.#name} `)) return;
    this.#announced = { at: performance.now(), epoch: this.#announced?.epoch ?? this.answer?.epoch ?? 0 };
    this.#events.onChange();
    void this.#ask();
  }
}

function connectorTo(sentinels: Sentinels, { encryption }: SentinelAddress) {
  return class MasterConnector extends AbstractConnector {
    constructor() {
      super(0);
    }

    /** Waits until a sentinel says where the master is. */
    async connect(tell: (type: string, error: Error) => void) {
      this.connecting = true;
      for (let toldAt = performance.now(); ; await pause(LOOK_EVERY_MS)) {
        if (!this.connecting) throw new Error('Connection is closed.');
        const master = sentinels.master();
        if (master) return this.#open(master);
        if (performance.now() - toldAt < TELL_EVERY_MS) continue;
        tell('error', new Error(sentinels.reasons()));
        toldAt = performance.now();
      }
    }

    /** Sentinels may name the master a moment before it is one. */
    override check({ role }: { role?: string }): boolean {
      return role === undefined || role === 'master';
    }

    /** Drops the connection at once: the server is gone, or isn't the master any more. */
    override disconnect(): void {
      this.connecting = false;
      this.stream?.destroy();
    }

    #open(master: Node) {
      const stream = encryption === 'tls' ? connectTls(master) : createConnection(master);
      const stop = sentinels.onChange(() => {
        const now = sentinels.master();
        if (now && nameOf(now) !== nameOf(master)) stream.destroy();
      });
      stream.once('close', stop);
      stream.once('error', (error) => {
        this.firstError = error;
      });
      this.stream = stream;
      return stream;
    }
  };
}
