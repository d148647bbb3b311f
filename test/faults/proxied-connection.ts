import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, firstCommand, replyEnd } from './redis-protocol.ts';

/** Breaks a client's connection. */
export interface RedisFault {
  /** Any change, one of an execution's record, or a look that claims something. Default: any change. */
  at?: 'change' | 'record' | 'claim';
  /** How many of them until then, including this one. Proxies may share a countdown. */
  countdown: { left: number };
  /** Before Redis gets the command, or after the change and before the client gets the reply. A claim is known by its reply only. */
  when: 'before' | 'after';
  /** Awaited before the connection breaks. */
  meanwhile?: () => Promise<void>;
}

/** Decides about each command. */
export interface ConnectionRules {
  /** Delays each command by this many milliseconds. */
  readonly delayMs: number;
  /** Whether a reply or message reaches the client. */
  hears(reply: Buffer): boolean;
  /** The bytes to send to Redis, and the fault at this command. */
  take(command: Command): { bytes: Buffer; fault: RedisFault | null };
  /** The fault at a command that Redis has answered. */
  faultAfter(command: Command, reply: Buffer): RedisFault | null;
}

/** A client's connection and its counterpart to Redis. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #redis: Socket;
  readonly #rules: ConnectionRules;
  #sent: Buffer = Buffer.alloc(0);
  #received: Buffer = Buffer.alloc(0);
  /** How many replies precede the one to be withheld; null if there is none. */
  #repliesLeft: number | null = null;
  readonly #unanswered: Command[] = [];
  #fault: RedisFault | null = null;
  #order: Promise<void> = Promise.resolve();

  constructor(client: Socket, redis: Socket, rules: ConnectionRules) {
    this.#client = client;
    this.#redis = redis;
    this.#rules = rules;
    client.on('data', (bytes: Buffer) => this.#forward(bytes));
    redis.on('data', (bytes: Buffer) => this.#answer(bytes));
  }

  #forward(bytes: Buffer): void {
    this.#sent = Buffer.concat([this.#sent, bytes]);
    for (let next = firstCommand(this.#sent); next; next = firstCommand(this.#sent)) {
      const { command, end } = next;
      this.#sent = this.#sent.subarray(end);
      if (this.#fault === null) this.#pass(command);
    }
  }

  #pass(command: Command): void {
    const { bytes, fault } = this.#rules.take(command);
    this.#fault = fault;
    if (fault?.when === 'before') return void this.#breakOff(fault);
    if (fault) this.#repliesLeft = this.#unanswered.length;
    this.#unanswered.push(command);
    const { delayMs } = this.#rules;
    if (delayMs === 0) this.#order = this.#order.then(() => this.#write(bytes));
    else this.#order = Promise.all([this.#order, pause(delayMs)]).then(() => this.#write(bytes));
  }

  #write(bytes: Buffer): void {
    if (!this.#redis.destroyed) this.#redis.write(bytes);
  }

  #answer(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let end = replyEnd(this.#received); end !== null; end = replyEnd(this.#received)) {
      const reply = this.#received.subarray(0, end);
      this.#received = this.#received.subarray(end);
      const command = this.#unanswered.shift();
      this.#fault ??= command ? this.#rules.faultAfter(command, reply) : null;
      if (this.#fault && this.#repliesLeft === null) return void this.#breakOff(this.#fault);
      if (this.#repliesLeft === 0) return void (this.#fault && this.#breakOff(this.#fault));
      if (this.#repliesLeft !== null) this.#repliesLeft -= 1;
      if (this.#rules.hears(reply)) this.#client.write(reply);
    }
  }

  async #breakOff({ meanwhile }: RedisFault): Promise<void> {
    this.#redis.removeAllListeners('data');
    await this.#order;
    await meanwhile?.();
    this.#client.destroy();
    this.#redis.destroy();
  }
}
