import { Cluster } from 'ioredis';
import { z } from 'zod';
import { type ClaimedExecutions, type DueListener, type DueQueue, StoreUnavailable } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import { answerDeadline, CLUSTER_RETRY_MS, defineScript, NOW, type RedisClient, runScript } from './call.ts';
import { BEGUN, DUE_CHANNEL, dueKey, ENDED, recordKeyPrefix, recordKeys, type Shard } from './keys.ts';
import { createLocalState, type LocalState } from './local-state.ts';
import { shardKeys, tryPerNode } from './per-node.ts';
import { dueAtOf, readableRecord } from './record.ts';
import { loadText } from './stored-record.ts';
import { Subscription } from './subscription.ts';

// The queue of due executions in Redis, and the announcements by which processes learn of due times.

/** Time for which an unreadable record stays out of the queue: another version may be able to read it. */
const UNREADABLE_BACKOFF_MS = 60_000;

/** Most future due times of a shard that a claim returns. */
const MOST_UPCOMING = 32;

const CLAIM = defineScript(
  'claim',
  z.tuple([
    z.array(z.string()),
    z.array(z.string()),
    z.array(z.string()),
    z.array(z.number()),
    z.number().nullable(),
    z.number(),
  ]),
  `
  -- KEYS: due of each shard, and the names of its records up to their refs. ARGV: most refs, lease and how far to look ahead in
  --       milliseconds, process, whether to claim its own again ('' = no), then more of the KEYS.
  -- Returns the claimed refs, its own that are claimed again, the refs that are due next, the milliseconds until then, the
  -- milliseconds after which others may be due (nil = none), and now.
  -- A record names the process that has the lease, until it changes or is released.
  ${NOW}
  ${shardKeys(5)}
  local left, lease, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local process, again, dueKeys, records = ARGV[4], ARGV[5] ~= '', {}, {}
  for i = 1, #shardKeys, 2 do
    dueKeys[#dueKeys + 1] = shardKeys[i]
    records[shardKeys[i]] = shardKeys[i + 1]
  end
  local function claim(key, ref)
    redis.call('ZADD', key, now + lease, ref)
    local record = records[key] .. ref
    -- While their slot moves to another node of a Cluster, it may be there already.
    if redis.pcall('EXISTS', record) == 1 then redis.call('HSET', record, 'lease', process) end
  end
  local function look(key)
    return redis.call('ZRANGEBYSCORE', key, '-inf', now + ahead, 'WITHSCORES', 'LIMIT', 0, ${MOST_UPCOMING})
  end
  local seen, overdue, refs, own = {}, {}, {}, {}
  for _, key in ipairs(dueKeys) do
    for _, ref in ipairs(again and redis.call('ZRANGEBYSCORE', key, '(' .. now, now + lease) or {}) do
      if redis.pcall('HGET', records[key] .. ref, 'lease') == process then
        claim(key, ref)
        own[#own + 1] = ref
      end
    end
    seen[key] = look(key)
    if seen[key][2] and tonumber(seen[key][2]) <= now then overdue[#overdue + 1] = key end
  end
  while left > 0 and #overdue > 0 do
    local share, crowded = math.ceil(left / #overdue), {}
    for _, key in ipairs(overdue) do
      local most = math.min(share, left)
      local found = most > 0 and redis.call('ZRANGEBYSCORE', key, '-inf', now, 'LIMIT', 0, most) or {}
      for _, ref in ipairs(found) do
        claim(key, ref)
        refs[#refs + 1] = ref
      end
      left = left - #found
      if #found == most then crowded[#crowded + 1] = key end
      seen[key] = nil
    end
    overdue = crowded
  end
  local upcoming, delays, more = {}, {}, false
  for _, key in ipairs(dueKeys) do
    local found = seen[key] or look(key)
    for i = 1, #found, 2 do
      local delay = math.max(0, math.ceil(found[i + 1] - now))
      upcoming[#upcoming + 1], delays[#delays + 1] = found[i], delay
      if delay == 0 or i == ${2 * MOST_UPCOMING - 1} then more = math.min(more or delay, delay) end
    end
  end
  return {refs, own, upcoming, delays, more, now}`,
);

const RELEASE = defineScript(
  'release',
  z.number(),
  `
  -- KEYS: record, due. ARGV: expected write ids ('' = absent), due time ('' = none), ref.
  -- Returns 0 if the record has changed since, and with it its due time.
  if (redis.call('HGET', KEYS[1], 'writes') or '') ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then redis.call('ZREM', KEYS[2], ARGV[3])
  else redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3]) end
  redis.call('HDEL', KEYS[1], 'lease')
  return 1`,
);

/** Presents the due times of all shards as one queue. A claim costs one script per node, whether anything is due or not. */
export function createDueQueue(
  redis: RedisClient,
  local: LocalState = createLocalState(),
): DueQueue & { close(): void } {
  const signal = new DueSignal(redis, local);
  /** True if a claim may have succeeded whose answer got lost. */
  let isUnsure = false;
  return {
    async claim(most, { leaseMs, aheadMs }) {
      const askedAt = performance.now();
      const args = [most, leaseMs, aheadMs, local.processId, isUnsure ? 'again' : ''];
      const keysOf = (shard: Shard) => [dueKey(shard), recordKeyPrefix(shard)];
      const answers = await tryPerNode(redis, CLAIM, { keysOf, args, tries: 'once' });
      const replies = answers.flatMap((answer) => (answer instanceof StoreUnavailable ? [] : [answer]));
      // If the client of a Cluster has repeated the claim, no answer has the refs that the first one claimed.
      const mayBeRepeated = redis instanceof Cluster && performance.now() - askedAt >= CLUSTER_RETRY_MS;
      isUnsure = replies.length < answers.length || mayBeRepeated;
      if (replies.length === 0) throw new StoreUnavailable('No shard of the due queue answers.');
      for (const [, , , , , now] of replies) local.clock.learn(now, askedAt);
      const claimed = claimedBy(replies, local);
      for (const ref of claimed.refs) local.leased.add(ref);
      return { ...claimed, isComplete: !isUnsure };
    },

    async release(ref) {
      if (!local.leased.has(ref)) return;
      const until = answerDeadline();
      const { text, writes, now } = await loadText(redis, local, { ref, lastWrites: '', until });
      const dueTime = text === null ? null : dueTimeOf(ref, text, now);
      const { record, due } = recordKeys(ref);
      await runScript(redis, RELEASE, { keys: [record, due], args: [writes, dueTime ?? '', ref], until });
      local.leased.delete(ref);
    },

    listen: (listener) => signal.listen(listener),
    isListening: () => signal.isListening(),
    /** Stops listening. */
    close: () => signal.close(),
  };
}

function claimedBy(
  replies: z.infer<typeof CLAIM.reply>[],
  { leased }: LocalState,
): Omit<ClaimedExecutions, 'isComplete'> {
  const more = replies.flatMap(([, , , , moreInMs]) => (moreInMs === null ? [] : [moreInMs]));
  return {
    refs: replies.flatMap(([refs, own]) => [...refs, ...own.filter((ref) => !leased.has(ref))]),
    upcoming: replies.flatMap(([, , refs, delays]) => refs.map((ref, i) => ({ ref, inMs: delays[i] ?? 0 }))),
    moreInMs: more.length === 0 ? null : Math.min(...more),
  };
}

function dueTimeOf(ref: string, text: string, now: Millis): Millis | null {
  const execution = readableRecord(ref, text);
  return execution === null ? now + UNREADABLE_BACKOFF_MS : dueAtOf(execution, { now });
}

/** Each process hears its own heartbeats. If it hasn't for this long, it may also miss announcements of others. */
export const HEARD_MS = 6_000;
/** After this silence the connection is replaced: two heartbeats are missing, and another connection may still get them. */
const SILENT_MS = 5_000;

/**
 * Listens to the due times that other processes announce. Announcements may get lost, so nothing depends on them: they only save
 * most looks at the queue.
 */
class DueSignal {
  readonly #local: LocalState;
  readonly #subscription: Subscription;
  #listener: DueListener | null = null;

  constructor(redis: RedisClient, local: LocalState) {
    this.#local = local;
    this.#subscription = new Subscription(redis, {
      channel: DUE_CHANNEL,
      silentMs: SILENT_MS,
      onMessage: (message) => this.#hear(message),
      onOpen: () => void redis.publish(DUE_CHANNEL, `${local.processId} ${BEGUN}`).catch(() => {}),
    });
  }

  listen(listener: DueListener): void {
    this.#listener = listener;
    this.#local.clock.onJump(() => listener.onMissed());
    this.#local.onUnsureWrite = (ref) => listener.onUnsure(ref);
    this.#subscription.start();
  }

  /** Returns true while announcements arrive. */
  isListening(): boolean {
    return performance.now() - this.#local.listenedAt < HEARD_MS;
  }

  close(): void {
    this.#subscription.close();
  }

  #hear(message: string): void {
    const [sender = '', dueTime = '', ref = ''] = message.split(' ');
    const [{ records, writes, clock, processId, others }, listener] = [this.#local, this.#listener];
    if (sender === processId) this.#hearOneself();
    else if (dueTime === ENDED) others.forget(sender);
    else others.hear(sender);
    if (dueTime === BEGUN && sender === processId) others.awaitAnswers();
    if (sender === processId) return;
    if (dueTime === BEGUN) this.#local.onOtherBegun();
    if (ref === '') return;
    records.delete(ref);
    writes.overtake(ref);
    this.#local.changes.tell(ref);
    const now = clock.now();
    if (now !== null) listener?.onDue(ref, dueTime === '' ? null : Math.max(0, Number(dueTime) - now));
  }

  #hearOneself(): void {
    const wasListening = this.isListening();
    this.#local.listenedAt = performance.now();
    if (!wasListening) this.#listener?.onMissed();
  }
}
