import { Cluster } from 'ioredis';
import { StoreUnavailable } from '../core/ports.ts';
import { type Deadline, insist, type RedisClient, replyCode } from './call.ts';
import { SHARDS, writableKey } from './keys.ts';
import { connectionTo, groupByNode, type ShardGroup } from './per-node.ts';
import { sentinelsOf } from './sentinels.ts';

const CHECK_MS = 1_000;
/** Shorter than for a change, because WAIT blocks everything else on its connection. */
const WAIT_MS = 500;
const EXPIRES_MS = 10_000;

/** Error codes of a slot that another node serves by now, which the client of the Cluster finds. */
const MOVES = ['MOVED', 'ASK'];

const REACH = `
  -- KEYS: writable of a shard. ARGV: those of other shards. Fails unless all lie on one node.
  for _, key in ipairs(ARGV) do redis.call('EXISTS', key) end
  return 1`;

/**
 * Tries on each node what a click needs. Resolves to the reason why clicks can't be stored, in an operator's words; null if they
 * can. Takes about a second at most. Simultaneous checks share one run.
 */
export function createCheckWritable(
  redis: RedisClient,
  { minReplicas }: { minReplicas: number },
): () => Promise<string | null> {
  const check = async () => {
    const until = performance.now() + CHECK_MS;
    const troubles = await Promise.all(
      groupByNode(redis).map((group) => troubleOf(redis, group, { minReplicas, until })),
    );
    const unheard = sentinelsOf(redis)?.trouble() ?? null;
    return [wordsOf(troubles.flat()), unheard].filter((words) => words !== null).join('; ') || null;
  };
  let running: Promise<string | null> | null = null;
  const start = () => {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  };
  // A check that has already begun may have asked a node before it went away.
  return async () => (await running) ?? start();
}

interface Limits {
  minReplicas: number;
  until: Deadline;
}

interface Trouble {
  node: string | null;
  shards: number;
  reason: string;
}

async function troubleOf(redis: RedisClient, { node, shards }: ShardGroup, limits: Limits): Promise<Trouble[]> {
  const reached = redis instanceof Cluster && node !== null ? shards : shards.slice(0, 1);
  let refusal: string | null = null;
  const ask = async () => {
    try {
      return await writeTo(redis, node, reached.map(writableKey), limits);
    } catch (error) {
      const code = replyCode(error);
      if (code !== null && !MOVES.includes(code)) refusal = code;
      throw error;
    }
  };
  try {
    const replicas = await insist(redis, limits.until, ask);
    if (replicas >= limits.minReplicas) return [];
    const reason = `only ${replicas} of ${limits.minReplicas} replicas have what is written`;
    return [{ node, shards: shards.length, reason }];
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (refusal !== 'ERR' || reached.length === 1)
      return [{ node, shards: shards.length, reason: refusal === null ? silenceOf(redis, node) : reasonOf(refusal) }];
    // The node doesn't have all of these shards: they are being moved, or no node has some of them.
    const groups = shards.map((shard) => ({ node: null, shards: [shard] }));
    return (await Promise.all(groups.map((group) => troubleOf(redis, group, limits)))).flat();
  }
}

/** Resolves to the number of replicas that have it; 0 if none has to. Rejects as a click's command would. */
async function writeTo(
  redis: RedisClient,
  node: string | null,
  keys: string[],
  { minReplicas }: Limits,
): Promise<number> {
  const connection = connectionTo(redis, node);
  if (!connection) return write(redis, keys, minReplicas);
  try {
    // The client of a Cluster would hide the node's error, and try again for too long.
    return await write(connection, keys, minReplicas);
  } catch (error) {
    if (!MOVES.includes(replyCode(error) ?? '')) throw error;
    return write(redis, keys, minReplicas);
  }
}

async function write(redis: RedisClient, [first = '', ...others]: string[], minReplicas: number): Promise<number> {
  const writing = redis.pipeline().set(first, '', 'PX', EXPIRES_MS);
  if (others.length > 0) writing.eval(REACH, 1, first, ...others);
  if (minReplicas > 0) writing.wait(minReplicas, WAIT_MS);
  const answers = (await writing.exec()) ?? [];
  for (const [error] of answers) if (error) throw error;
  return minReplicas === 0 ? 0 : Number(answers.at(-1)?.[1]);
}

/** Reasons by error code; the texts of error replies aren't for everybody. */
const REASONS: Partial<Record<string, string>> = {
  OOM: 'its memory is full',
  MISCONF: "it can't save to its disk",
  READONLY: 'it is a read-only replica',
  LOADING: 'it is still loading its data',
  NOREPLICAS: 'it has too few replicas',
  CLUSTERDOWN: "the Cluster doesn't serve them",
  NOPERM: "its user isn't allowed to",
};

/** Returns why a node hasn't answered at all. */
function silenceOf(redis: RedisClient, node: string | null): string {
  if (connectionTo(redis, node)) return "it doesn't answer";
  return connectionTo(redis, node, 'connect')
    ? "it isn't ready yet, and may be loading its data"
    : 'there is no connection';
}

function reasonOf(refusal: string): string {
  const words = REASONS[refusal];
  return words === undefined ? `it answers ${refusal}` : `${words} (${refusal})`;
}

function wordsOf(troubles: Trouble[]): string | null {
  if (troubles.length === 0) return null;
  const unserved = troubles.filter(({ node }) => node === null).reduce((sum, { shards }) => sum + shards, 0);
  const sentences = troubles.flatMap(({ node, shards, reason }) => {
    if (node === null) return [];
    return node === '' ? [reason] : [`${node} can't be written (${ofAll(shards)}): ${reason}`];
  });
  return [...sentences.sort(), ...(unserved === 0 ? [] : [`no node serves ${ofAll(unserved)}`])].join('; ');
}

function ofAll(shards: number): string {
  return `${shards} of ${SHARDS.length} shards`;
}
