import { z } from 'zod';
import { TILE } from '../../core/ledger/merkle-tree.ts';
import { DAY_MS, type Millis } from '../../core/values/time.ts';
import { answerDeadline, defineScript, insist, NOW, type RedisClient, runScript } from '../call.ts';
import { ledgerKey, sinkKey, treeKey } from '../keys.ts';
import { redisNow } from './policies.ts';
import { placesOf, readPlaces } from './tree.ts';

// The progress of a sink: the entries it has taken, the next batch, the process that sends it, and the time since when nothing
// gets through.

/** Longer than a process takes for one step. After that, another process may go on, and sends the same again. */
const HOLD_MS = 60_000;

/** A process in its turn to send. */
export interface Sender {
  /** The sink's id. */
  sink: string;
  /** Id of this process. */
  holder: string;
}

/** The next batch. It is stored before it is sent, so that a retry sends the same. */
export interface Plan {
  /** The leaf after the last one. */
  until: number;
  /** Note of the checkpoint over all entries up to there; null without one. */
  note: string | null;
}

export interface SinkTurn {
  /** Number of sealed entries. */
  size: number;
  /** Number of entries that the sink has taken. */
  sent: number;
  /** Number of sealed entries when this sink was set up. */
  begin: number;
  plan: Plan | null;
  /** Failed tries of the next batch. */
  tries: number;
  /** True once people were notified that nothing gets through. */
  isTold: boolean;
}

const TAKE = defineScript(
  'take-sink',
  z
    .tuple([z.number(), z.number(), z.number(), z.string().nullable(), z.string().nullable(), z.number(), z.number()])
    .nullable(),
  `
  -- KEYS: sink, tree. ARGV: this process, for how many milliseconds it may send.
  -- Returns nil if there is nothing to do (nothing is unsent, and people know of no trouble), another process is sending, or it
  -- is too soon to try again. Otherwise how many entries are sealed, sent, and were sealed at the beginning, where the planned
  -- batch ends and its note (nil = none), the number of tries, and whether people were told (1 = yes).
  ${NOW}
  local size = tonumber(redis.call('HGET', KEYS[2], 'size') or 0)
  local field = function(name) return redis.call('HGET', KEYS[1], name) end
  -- This isn't the ledger that it was sent from.
  if tonumber(field('sent') or 0) > size then redis.call('DEL', KEYS[1]) end
  if not field('begin') then redis.call('HSET', KEYS[1], 'begin', size) end
  local sent = tonumber(field('sent') or 0)
  if sent == size and field('told') ~= '1' then return nil end
  if field('holder') and field('holder') ~= ARGV[1] and tonumber(field('held-until')) > now then return nil end
  if tonumber(field('retry-at') or 0) > now then return nil end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'held-until', now + ARGV[2])
  return {size, sent, tonumber(field('begin')), field('until'), field('note'), tonumber(field('tries') or 0),
    field('told') == '1' and 1 or 0}`,
);

/** Returns the turn of this process to send; null if there is nothing for it to do. @throws {StoreUnavailable} */
export async function takeSinkTurn(redis: RedisClient, { sink, holder }: Sender): Promise<SinkTurn | null> {
  const call = { keys: [sinkKey(sink), treeKey], args: [holder, HOLD_MS] };
  const turn = await runScript(redis, TAKE, call);
  if (turn === null) return null;
  const [size, sent, begin, until, note, tries, told] = turn;
  const plan = until === null ? null : { until: Number(until), note };
  return { size, sent, begin, plan, tries, isTold: told === 1 };
}

/** Lua: returns 0 from the script if another process sends by now. */
const IS_HOLDER = `if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end`;

const PLAN = defineScript(
  'plan-for-sink',
  z.number(),
  `
  -- KEYS: sink. ARGV: this process, how many entries were sent, where the batch ends, the note at its end ('' = none).
  ${IS_HOLDER}
  if (redis.call('HGET', KEYS[1], 'sent') or '0') ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], 'until', ARGV[3])
  if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'note', ARGV[4]) end
  return 1`,
);

/** Stores the next batch. Resolves to false if another process sends by now. @throws {StoreUnavailable} */
export async function planForSink(
  redis: RedisClient,
  { sink, holder }: Sender,
  { from, until, note }: Plan & { from: number },
): Promise<boolean> {
  const args = [holder, from, until, note ?? ''];
  return (await runScript(redis, PLAN, { keys: [sinkKey(sink)], args })) === 1;
}

const MOVE = defineScript(
  'move-sink',
  z.number(),
  `
  -- KEYS: sink. ARGV: this process, how many entries were sent, how many are now, how many of these were gone.
  ${IS_HOLDER}
  if (redis.call('HGET', KEYS[1], 'sent') or '0') ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], 'sent', ARGV[3])
  redis.call('HDEL', KEYS[1], 'until', 'note', 'tries', 'retry-at', 'failing-since')
  if ARGV[4] ~= '0' then redis.call('HINCRBY', KEYS[1], 'missed', ARGV[4]) end
  return 1`,
);

/** Notes that the sink has taken a batch. Resolves to false if another process was faster. @throws {StoreUnavailable} */
export async function moveSink(
  redis: RedisClient,
  { sink, holder }: Sender,
  { from, until, missed }: { from: number; until: number; missed: number },
): Promise<boolean> {
  const args = [holder, from, until, missed];
  return (await runScript(redis, MOVE, { keys: [sinkKey(sink)], args })) === 1;
}

const FAIL = defineScript(
  'sink-failed',
  z.union([z.literal(0), z.tuple([z.number(), z.number()])]),
  `
  -- KEYS: sink. ARGV: this process, milliseconds until it may be tried again.
  -- Ends the turn. Returns now, and since when nothing gets through; 0 if another process sends by now.
  ${NOW}
  ${IS_HOLDER}
  redis.call('HSETNX', KEYS[1], 'failing-since', now)
  redis.call('HSET', KEYS[1], 'retry-at', now + ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'tries', 1)
  redis.call('HDEL', KEYS[1], 'holder', 'held-until')
  return {now, tonumber(redis.call('HGET', KEYS[1], 'failing-since'))}`,
);

/** Ends a failed turn until `retryMs` have passed. Resolves to the time without success. @throws {StoreUnavailable} */
export async function failSinkTurn(redis: RedisClient, { sink, holder }: Sender, retryMs: Millis): Promise<Millis> {
  const failed = await runScript(redis, FAIL, { keys: [sinkKey(sink)], args: [holder, retryMs] });
  return failed === 0 ? 0 : failed[0] - failed[1];
}

const END = defineScript(
  'end-sink-turn',
  z.number(),
  `
  -- KEYS: sink. ARGV: this process.
  ${IS_HOLDER}
  return redis.call('HDEL', KEYS[1], 'holder', 'held-until')`,
);

/** Ends the turn; another process may go on at once. @throws {StoreUnavailable} */
export async function endSinkTurn(redis: RedisClient, { sink, holder }: Sender): Promise<void> {
  await runScript(redis, END, { keys: [sinkKey(sink)], args: [holder] });
}

const TELL = defineScript(
  'sink-told',
  z.number(),
  `
  -- KEYS: sink. ARGV: whether people are told of a trouble from now on (1 = yes, 0 = it is over). Returns 0 if that was so.
  if (redis.call('HGET', KEYS[1], 'told') or '0') == ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'told', ARGV[1])
  return 1`,
);

/**
 * Records that people are notified of a trouble, or of its end. Resolves to false if that is recorded already, so that only one process
 * notifies them. @throws {StoreUnavailable}
 */
export async function changeSinkNotice(redis: RedisClient, sink: string, notice: 'trouble' | 'over'): Promise<boolean> {
  const args = [notice === 'trouble' ? 1 : 0];
  return (await runScript(redis, TELL, { keys: [sinkKey(sink)], args })) === 1;
}

/** The backlog of a sink, over all processes. */
export interface SinkLag {
  /** Number of sealed entries that it hasn't taken. */
  unsent: number;
  /** Age of the oldest of them; 0 if there is none. */
  lagMs: Millis;
  /** Number of entries that were gone before it took them. */
  missed: number;
}

/** @param auditDays least age of an entry that is gone @throws {StoreUnavailable} */
export async function readSinkLag(redis: RedisClient, sink: string, auditDays: number): Promise<SinkLag> {
  const until = answerDeadline();
  const [sent, missed] = await insist(redis, until, () => redis.hmget(sinkKey(sink), 'sent', 'missed'));
  const size = Number((await insist(redis, until, () => redis.hget(treeKey, 'size'))) ?? 0);
  const unsent = Math.max(0, size - Number(sent ?? 0));
  const madeAt = unsent === 0 ? null : await readMadeAt(redis, size - unsent);
  const lagMs = madeAt === null ? auditDays * DAY_MS : Math.max(0, (await redisNow(redis)) - madeAt);
  return { unsent, lagMs: unsent === 0 ? 0 : lagMs, missed: Number(missed ?? 0) };
}

/** The part of a stored entry that all versions have. */
const STORED = z.looseObject({ at: z.number() });

/** Returns the time of a leaf's entry; null if it is gone. */
async function readMadeAt(redis: RedisClient, leaf: number): Promise<Millis | null> {
  const stored = await readPlaces(redis, Math.floor(leaf / TILE));
  const place = stored === null ? undefined : placesOf(stored.places)[leaf % TILE];
  if (place === undefined) return null;
  const entry = await insist(redis, answerDeadline(), () => redis.lindex(ledgerKey(place.ref), place.seq - 1));
  return entry === null ? null : STORED.parse(JSON.parse(entry)).at;
}
