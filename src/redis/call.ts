import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import type { z } from 'zod';
import { StoreUnavailable } from '../core/ports.ts';

// Calls to Redis. Commands and scripts are retried until there is an answer, or until an answer is of no use any more.

/** One Redis (also behind Sentinels) or a Redis Cluster. */
export type RedisClient = Redis | Cluster;

/** An instant on this process' monotonic clock, after which an answer is of no use. */
export type Deadline = number;

/** Thrown when Redis answers with an error that doesn't pass by itself. */
export class StoreRefused extends StoreUnavailable {
  override readonly isFault: boolean;

  constructor(reason: string, code: string) {
    super(reason);
    this.isFault = FAULTS.includes(code) && !reason.includes(MOVING);
  }
}

/** Error codes of a wrong script or command, as opposed to a Redis that is full, read-only or forbids it. */
const FAULTS = ['ERR', 'WRONGTYPE'];
/** A node of a Cluster also answers ERR with this text for a shard that is being moved. */
const MOVING = 'non local key';

/** A click must be answered within 3 seconds, so the store must answer or fail earlier. */
export const ANSWER_MS = 2_000;
const RETRY_PAUSE_MS = 25;
/** The client of a Cluster pauses for this long before it repeats a command whose connection broke. */
export const CLUSTER_RETRY_MS = 100;

export function answerDeadline(): Deadline {
  return performance.now() + ANSWER_MS;
}

/** A Lua script with the shape of its reply. All its keys lie in one slot and are declared in KEYS. */
export interface Script<Reply> {
  /** Name under which a client caches it, unique among all scripts. */
  name: string;
  source: string;
  reply: z.ZodType<Reply>;
}

/** Lua: leaves in `now` the milliseconds since 1970 by Redis' clock. */
export const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

export function defineScript<Reply>(name: string, reply: z.ZodType<Reply>, source: string): Script<Reply> {
  return { name: `signoff:${name}`, source, reply };
}

/** `once`: not again without the caller's knowledge, unless the client of a Cluster repeats it after CLUSTER_RETRY_MS. */
export type Tries = 'once' | 'until-answered';

/**
 * Runs a script and checks the shape of its reply. It may run more than once if a connection breaks.
 * @throws {StoreUnavailable} if there is no answer by the deadline, or Redis refuses
 */
export async function runScript<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  {
    keys,
    args = [],
    until = answerDeadline(),
    tries = 'until-answered',
  }: { keys: string[]; args?: (string | number | Buffer)[]; until?: Deadline; tries?: Tries },
): Promise<Reply> {
  const ask = () => callScript(redis, script, [keys.length, ...keys, ...args]);
  const reply = await (tries === 'once' ? askOnce(redis, until, ask) : insist(redis, until, ask));
  return script.reply.parse(reply);
}

/** Calls a script as a command of the client, which sends its hash, and the source only if Redis doesn't know it yet. */
async function callScript(redis: RedisClient, { name, source }: Script<unknown>, args: unknown[]): Promise<unknown> {
  if (!Reflect.has(redis, name)) redis.defineCommand(name, { lua: source });
  const command: unknown = Reflect.get(redis, name);
  if (typeof command !== 'function') throw new TypeError(`The client has no command ${name}.`);
  return Reflect.apply(command, redis, args);
}

/**
 * Retries until there is an answer, across lost connections and failovers. Redis may get the command more than once.
 * @throws {StoreUnavailable} if there is no answer by the deadline, or Redis refuses
 */
export async function insist<Answer>(redis: RedisClient, until: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await inTime(until, ask());
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const isLast = redis.status === 'end' || performance.now() + RETRY_PAUSE_MS >= until;
      if (isLast || !isTemporary(error)) throw unavailable(redis, error);
    }
    await pause(RETRY_PAUSE_MS);
  }
}

async function askOnce<Answer>(redis: RedisClient, until: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await inTime(until, ask());
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : unavailable(redis, error);
  }
}

async function inTime<Answer>(until: Deadline, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const leftMs = Math.max(0, until - performance.now());
    timer = setTimeout(() => reject(new StoreUnavailable("Redis didn't answer in time.")), leftMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TEMPORARY = ['READONLY', 'LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'MOVED', 'ASK', 'BUSY'];

/** Returns true for a broken connection and a failover, which pass; any other error reply doesn't. */
function isTemporary(error: unknown): boolean {
  const code = replyCode(error);
  return code === null || TEMPORARY.includes(code);
}

/**
 * Returns the code of an error reply; null for a connection error. The code is the first word
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors). Before Redis 7, an error inside a script has it
 * after its place in the script: `ERR Error running script (…): @user_script:3: -READONLY You can't…`.
 */
export function replyCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  const [, inScript] = /^ERR Error running script.*? -([A-Z]+) /.exec(error.message) ?? [];
  return inScript ?? error.message.split(' ', 1)[0] ?? '';
}

/** Returns the client's message. The error itself isn't for logs: it holds the command with its arguments. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function unavailable({ status }: RedisClient, error: unknown): StoreUnavailable {
  // While there is no connection, the client's message is only about its own settings.
  if (status !== 'ready') return new StoreUnavailable('There is no connection to Redis.');
  const reason = `Redis couldn't answer: ${reasonOf(error)}`;
  const code = replyCode(error);
  return code === null ? new StoreUnavailable(reason) : new StoreRefused(reason, code);
}

/** Returns the pairs of a flat reply: names with values, or members with scores. */
export function pairsIn(reply: readonly string[]): [string, string][] {
  return reply.flatMap((first, i): [string, string][] => (i % 2 === 0 ? [[first, reply[i + 1] ?? '']] : []));
}
