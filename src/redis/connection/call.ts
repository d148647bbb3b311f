import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { StoreUnavailable } from '../../core/ports.ts';
import type { Script } from './script.ts';

/** One Redis (also behind Sentinels) or a Redis Cluster. */
export type RedisClient = Redis | Cluster;

/** An instant on this process' monotonic clock, until which an answer is of use. */
export type Deadline = number;

/** A person's click has to be answered within 3 seconds, so that the store has to answer or fail before. */
export const ANSWER_MS = 2_000;
const RETRY_PAUSE_MS = 25;

export function answerDeadline(): Deadline {
  return performance.now() + ANSWER_MS;
}

/**
 * Runs a script and checks the shape of its reply. It may run more than once when a connection breaks.
 * @throws {StoreUnavailable} when there is no answer by the deadline, or Redis refuses
 */
export async function runScript<Reply>(
  redis: RedisClient,
  script: Script<Reply>,
  { keys, args = [], until }: { keys: string[]; args?: (string | number | Buffer)[]; until: Deadline },
): Promise<Reply> {
  const answer = await insist(redis, until, async () => {
    try {
      return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (replyCode(error) !== 'NOSCRIPT') throw error;
      return redis.eval(script.source, keys.length, ...keys, ...args);
    }
  });
  return script.reply.parse(answer);
}

/**
 * Asks until there is an answer, over lost connections and failovers. The question may arrive more than once.
 * @throws {StoreUnavailable} when there is no answer by the deadline, or Redis refuses
 */
export async function insist<Answer>(redis: RedisClient, until: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await inTime(until, ask());
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const isLast = redis.status === 'end' || performance.now() + RETRY_PAUSE_MS >= until;
      if (isLast || !mayPass(error)) throw unavailable(redis, error);
    }
    await pause(RETRY_PAUSE_MS);
  }
}

async function inTime<Answer>(until: Deadline, answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const leftMs = Math.max(0, until - performance.now());
    timer = setTimeout(() => reject(new StoreUnavailable('Redis gave no answer in time.')), leftMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const PASSING = ['READONLY', 'LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'MOVED', 'ASK', 'BUSY'];

/** A broken connection and a failover pass; any other error that Redis gives as its answer stays. */
function mayPass(error: unknown): boolean {
  const code = replyCode(error);
  return code === null || PASSING.includes(code);
}

/**
 * The kind of an error that Redis gave as its answer; null for an error of the connection. It is the first word
 * (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors); before Redis 7, that of an error inside
 * a script stands behind its place in the script: `ERR Error running script (…): @user_script:3: -READONLY You can't…`.
 */
export function replyCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return null;
  const [, inScript] = /^ERR Error running script.*? -([A-Z]+) /.exec(error.message) ?? [];
  return inScript ?? error.message.split(' ', 1)[0] ?? '';
}

/** What went wrong, in the words of the client. Its errors themselves carry the command with its arguments. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function unavailable({ status }: RedisClient, error: unknown): StoreUnavailable {
  // What the client says of a command without a connection is about its own settings.
  if (status !== 'ready') return new StoreUnavailable('There is no connection to Redis.');
  return new StoreUnavailable(`Redis could not answer: ${reasonOf(error)}`);
}
