import { Redis } from 'ioredis';
import { z } from 'zod';
import { type Node, nameOf, parseRedisUrl } from '../../redis/address.ts';
import { FIELDS, OTHERS, type SentinelAddress, SILENT_MS, wayTo } from '../../redis/sentinels.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

const ANSWER_MS = 2_000;

/** Checks that the sentinels in REDIS_URL can fail over safely, and that the bots notice. Other addresses have none. */
export async function checkSentinels(url: string): Promise<Finding[]> {
  const address = parseRedisUrl(url);
  if (!address.ok || address.value.kind !== 'sentinel') return [];
  const sentinels = address.value;
  const answers = await Promise.all(sentinels.sentinels.map((node) => askSentinel(node, sentinels)));
  const answering = answers.filter((answer) => answer !== null);
  const [first] = answering;
  if (!first)
    return [wrong('Sentinels', 'none of those in REDIS_URL answers.', 'Start them, or check their addresses.')];
  return [judgeNumber(answers.length, answering), judgeQuorum(first), judgePatience(answering)];
}

/** The facts that one sentinel knows. */
interface SentinelAnswer {
  id: string;
  quorum: number;
  downAfterMs: number;
  /** All others that watch the same master, by id. */
  others: ReadonlyMap<string, string>;
}

/** @param configured number of sentinels in REDIS_URL */
function judgeNumber(configured: number, answers: readonly SentinelAnswer[]): Finding {
  const about = 'Sentinels';
  const ids = new Set(answers.map(({ id }) => id));
  const others = new Map(answers.flatMap((answer) => [...answer.others]));
  const unnamed = [...others].flatMap(([id, node]) => (ids.has(id) ? [] : [node])).sort();
  const count = new Set([...ids, ...others.keys()]).size;
  const majority = Math.floor(count / 2) + 1;
  if (ids.size < majority)
    return wrong(
      about,
      `${ids.size} of ${count} answer, which is no majority: there is no failover, and with REDIS_MIN_REPLICAS nothing is acknowledged.`,
      'Start the others, or name them in REDIS_URL.',
    );
  if (ids.size < configured)
    return doubtful(
      about,
      `${ids.size} of the ${configured} in REDIS_URL answer.`,
      'Start the others, or take them out.',
    );
  if (unnamed.length > 0)
    return doubtful(
      about,
      `REDIS_URL doesn't name ${unnamed.join(', ')}: a bot that starts while the others are away finds no Redis.`,
      'Name all of them.',
    );
  const advice = 'Run three, one on each host of Redis.';
  if (count === 1)
    return doubtful(about, 'only one: without it there is no failover, and nobody can tell who the master is.', advice);
  if (count % 2 === 0) return doubtful(about, `${count}: no more of them may be away than of ${count - 1}.`, advice);
  return fine(about, `all ${count} answer, and REDIS_URL names them.`);
}

function judgeQuorum({ quorum, others }: SentinelAnswer): Finding {
  const about = 'Sentinel quorum';
  const count = others.size + 1;
  const majority = Math.floor(count / 2) + 1;
  const set = `Set it to ${majority}.`;
  if (quorum > count)
    return wrong(about, `${quorum}, but there are only ${count} sentinels: there is no failover.`, set);
  if (quorum > majority)
    return doubtful(about, `${quorum} of ${count}: with ${count - quorum + 1} away, there is no failover.`, set);
  if (quorum < majority) return doubtful(about, `${quorum} of ${count}: fewer than a majority begin a failover.`, set);
  return fine(about, `${quorum} of ${count}.`);
}

function judgePatience(answers: readonly SentinelAnswer[]): Finding {
  const about = 'Sentinel down-after-milliseconds';
  const least = Math.min(...answers.map(({ downAfterMs }) => downAfterMs));
  if (least > SILENT_MS) return fine(about, `${least}.`);
  return doubtful(
    about,
    `${least}: a busy machine is taken for a failure, and a bot that is cut off may not notice before a failover.`,
    'Set 2000.',
  );
}

const MASTER = FIELDS.pipe(z.object({ quorum: z.coerce.number(), 'down-after-milliseconds': z.coerce.number() }));

/** Returns null without an answer. */
async function askSentinel(node: Node, address: SentinelAddress): Promise<SentinelAnswer | null> {
  const sentinel = new Redis({
    ...wayTo(node, address),
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    retryStrategy: null,
  });
  sentinel.on('error', () => {});
  try {
    await sentinel.connect();
    const [id, master, others] = await Promise.all([
      sentinel.call('SENTINEL', 'MYID'),
      sentinel.call('SENTINEL', 'MASTER', address.name),
      sentinel.call('SENTINEL', 'SENTINELS', address.name),
    ]);
    const { quorum, 'down-after-milliseconds': downAfterMs } = MASTER.parse(master);
    const names = OTHERS.parse(others).map((other) => [other.id, nameOf(other.node)] as const);
    return { id: String(id), quorum, downAfterMs, others: new Map(names) };
  } catch {
    return null;
  } finally {
    sentinel.disconnect();
  }
}
