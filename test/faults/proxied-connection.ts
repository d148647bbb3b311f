import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, firstCommand, replyEnd } from './redis-protocol.ts';

/** What happens at one of the changes that clients ask Redis for. */
export interface RedisFault {
  /** How many have yet to come, this one included; several proxies may count down together. */
  countdown: { left: number };
  /** Before Redis hears of it, or after it has made the change and before the client hears. */
  when: 'before' | 'after';
  /** Awaited before the connection breaks. */
  meanwhile?: () => Promise<void>;
}

/** What a passage asks about each command. */
export interface ConnectionRules {
  /** Holds back each command for so long. */
  readonly delayMs: number;
  /** The bytes that go to Redis, and the fault that this command meets. */
  take(command: Command): { bytes: Buffer; fault: RedisFault | null };
}

/** One connection of a client, and its own connection to Redis. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #redis: Socket;
  readonly #rules: ConnectionRules;
  #sent: Buffer = Buffer.alloc(0);
  #received: Buffer = Buffer.alloc(0);
  /** How many replies have yet to come before the one that the client must not hear; null where there is none. */
  #repliesLeft: number | null = null;
  #unanswered = 0;
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
    if (fault) this.#repliesLeft = this.#unanswered;
    this.#unanswered += 1;
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
      this.#unanswered -= 1;
      if (this.#repliesLeft === 0) return void (this.#fault && this.#breakOff(this.#fault));
      if (this.#repliesLeft !== null) this.#repliesLeft -= 1;
      this.#client.write(reply);
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
