import { z } from 'zod';
import { MOST_KICKOFF_IDS } from '../core/execution/limits.ts';
import { type Entry, headAfter, type LedgerHead, newEntries } from '../core/ledger/entry.ts';
import type { Execution } from '../core/state/execution.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import { answerDeadline, type Deadline, defineScript, insist, NOW, type RedisClient, runScript } from './call.ts';
import { indexChanges, mayExpire } from './indexes.ts';
import { DUE_CHANNEL, LINK_LENGTH, linkKey, linkOf, recordKeys, shardOf, writesKey } from './keys.ts';
import { readHead } from './ledger/chain.ts';
import { appendArgs, appendEntries, appendKeys, type LedgerOptions } from './ledger/entries.ts';
import { type HeldRecord, type LocalState, WRITE_ID_LENGTH } from './local-state.ts';
import { dueAtOf, readRecord, writeRecord } from './record.ts';

// Loads a record from Redis, and replaces it by compare-and-set. All write ids of a record together are its version.

/** A stored execution, with the write ids that it must still have when it is replaced, and Redis' time. */
export interface Stored {
  execution: Execution | null;
  writes: string;
  now: Millis;
}

/** Returns the state in Redis at this moment. @throws {StoreUnavailable} @throws {UnreadableRecord} */
export async function loadRecord(redis: RedisClient, local: LocalState, ref: string, until: Deadline): Promise<Stored> {
  const cached = local.records.get(ref);
  const askedAt = performance.now();
  const { text, writes, now } = await loadText(redis, local, { ref, lastWrites: cached?.writes ?? '', until });
  if (!cached || writes !== cached.writes) return readAndKeep(local, ref, { text, writes, now, askedAt });
  local.records.set(ref, { ...cached, askedAt });
  return { execution: cached.execution, writes, now };
}

/** Returns the stored text, readable or not; null if it is absent or has the known write ids. */
export async function loadText(
  redis: RedisClient,
  { clock }: LocalState,
  { ref, lastWrites, until }: { ref: string; lastWrites: string; until: Deadline },
) {
  const askedAt = performance.now();
  const [now, writes, text] = await runScript(redis, LOAD, {
    keys: [recordKeys(ref).record],
    args: [lastWrites],
    until,
  });
  clock.learn(now, askedAt);
  return { text, writes: writes ?? '', now };
}

/** Returns the state that this process holds, which another process may have changed since; null if it holds none. */
export function heldRecord({ records, clock }: LocalState, ref: string, mostAgeMs = Number.POSITIVE_INFINITY) {
  const [cached, now] = [records.get(ref), clock.now()];
  if (!cached || now === null || performance.now() - cached.askedAt > mostAgeMs) return null;
  return { ...cached, now };
}

/** `wrong-chain`: the ledger has entries of this run that the record doesn't know of. */
type Swapped =
  | { kind: 'written'; writeId: string }
  | { kind: 'wrong-chain'; head: LedgerHead }
  | { kind: 'conflict'; stored: Stored }
  | { kind: 'wrong-time'; now: Millis };

/** The connection and settings for storing executions. */
export interface Storing extends LedgerOptions {
  redis: RedisClient;
  local: LocalState;
  retentionMs: number;
  headStartMs: number;
}

/**
 * Replaces the loaded record together with due time, indexes and lifetime, unless it has changed since, or the change was made
 * for another time. A retry after a lost answer finds its own write id and succeeds.
 * @throws {StoreUnavailable} then nobody knows whether it was written
 */
export async function swapRecord(
  storing: Storing,
  { before, after, until }: { before: Stored; after: Execution; until: Deadline },
): Promise<Swapped> {
  const { redis, local } = storing;
  const { ref } = after;
  const { written, entries } = withEntries(after);
  const text = writeRecord(written);
  const writeId = local.newWriteId();
  const askedAt = performance.now();
  // The stored state is unknown until there is an answer.
  local.records.delete(ref);
  const shard = shardOf(ref);
  const confirmed = local.writes.counts.get(shard) ?? 0;
  const claimableAt = dueAtOf(written, { now: before.now, headStartMs: storing.headStartMs });
  const call = swapCall(storing, { before, after: written, entries, text, writeId, claimableAt });
  const [outcome, now, writes, stored, links, leftMs, count] = await runScript(redis, SWAP, { ...call, until });
  local.clock.learn(now, askedAt);
  switch (outcome) {
    case 'written':
      if (writes !== null) keep(local, { execution: written, writes, askedAt, size: text.length, claimableAt });
      local.leased.delete(ref);
      local.changes.tell(ref);
      local.writes.unconfirmed.set(ref, {
        ref,
        shard,
        count,
        writeId,
        execution: written,
        size: text.length,
        at: askedAt,
      });
      // A count that isn't above the confirmed ones shows that Redis has lost writes. If other writes were confirmed meanwhile, this
      // answer may only be late: answers of two nodes of a Cluster may arrive in another order than they were sent.
      if (count <= confirmed || count === local.writes.counts.get(shard)) local.writes.lose(shard, count - 1);
      else if (count < (local.writes.counts.get(shard) ?? 0)) local.writes.onDoubt();
      if (links.length > 0) await followLinks(redis, links, { ref, liveMs: leftMs < 0 ? '' : leftMs, until });
      return { kind: 'written', writeId };
    case 'conflict':
      return {
        kind: 'conflict',
        stored: readAndKeep(local, ref, { text: stored, writes: writes ?? '', now, askedAt }),
      };
    case 'wrong time':
      return { kind: 'wrong-time', now };
    case 'wrong chain': {
      const { policy: _, ...head } = await readHead(redis, ref, until);
      return { kind: 'wrong-chain', head };
    }
  }
}

/** Turns the events of an execution into ledger entries, and returns both. */
function withEntries(after: Execution): { written: Execution; entries: Entry[] } {
  if (after.ledgerEvents.length === 0) return { written: after, entries: [] };
  const entries = newEntries(after.ref, after.ledger, after.ledgerEvents);
  return { written: { ...after, ledger: headAfter(after.ledger, entries), ledgerEvents: [] }, entries };
}

interface Swap {
  before: Stored;
  after: Execution;
  entries: Entry[];
  text: string;
  writeId: string;
  claimableAt: Millis | null;
}

function swapCall(
  { local, retentionMs, auditDays, entryKeys }: Storing,
  { before, after, entries, text, writeId, claimableAt }: Swap,
) {
  const { ref } = after;
  const { record, due, activity } = recordKeys(ref);
  const indexed = indexChanges(before.execution, after);
  const liveMs = lifetime(before.execution, after, retentionMs);
  return {
    keys: [
      record,
      due,
      activity,
      ...appendKeys(ref),
      writesKey(shardOf(ref), local.processId),
      ...indexed.map(({ key }) => key),
    ],
    args: [
      before.writes,
      writeId,
      text,
      claimableAt ?? '',
      ref,
      liveMs,
      before.now,
      local.processId,
      ...indexed.flatMap(({ member, score }) => [member, score ?? '']),
      ...appendArgs(entries, { auditDays, entryKeys }),
    ],
  };
}

/** Returns the lifetime for a record; one that expires already keeps its time. */
function lifetime(before: Execution | null, after: Execution, retentionMs: number): number | '' | 'kept' {
  const expires = mayExpire(after);
  if (before && expires === mayExpire(before)) return 'kept';
  return expires ? retentionMs : '';
}

/** Reads a record that Redis has returned, and keeps it in memory. */
function readAndKeep(
  local: LocalState,
  ref: string,
  { text, writes, now, askedAt }: { text: string | null; writes: string; now: Millis; askedAt: number },
): Stored {
  local.records.delete(ref);
  local.writes.meet(ref, writes);
  if (text === null) return { execution: null, writes, now };
  const execution = readRecord(ref, text);
  keep(local, { execution, writes, askedAt, size: text.length, claimableAt: now });
  return { execution, writes, now };
}

/** Keeps a record in memory, unless its run is over: hardly anything follows then. */
function keep({ records }: LocalState, record: HeldRecord): void {
  if (!mayExpire(record.execution)) records.set(record.execution.ref, record);
}

// The scripts that read and write a record, with everything that changes in the same step.

/** A record remembers its last four write ids, so a retried write finds itself. */
const REMEMBERED = WRITE_ID_LENGTH * 4;

/** Lua: sets `links` to the links of a record. */
const LINKS = `
  local links, own = {}, redis.call('HGET', KEYS[1], 'links') or ''
  for at = 1, #own, ${LINK_LENGTH} do links[#links + 1] = string.sub(own, at, at + ${LINK_LENGTH - 1}) end`;

/** Largest difference between the time that a change was made for and the time of storing it. */
const MOST_CLOCK_ERROR_MS = 1_000;

const LOAD = defineScript(
  'load',
  z.tuple([z.number(), z.string().nullable(), z.string().nullable()]),
  `
  -- KEYS: record. ARGV: known write ids ('' = none).
  -- Returns now, the write ids (newest first, no separators), and the record (nil = absent, or the known one).
  -- All write ids together are the record's version for compare-and-set.
  ${NOW}
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes == ARGV[1] then return {now, writes, false} end
  return {now, writes, redis.call('HGET', KEYS[1], 'record')}`,
);

/** Lua: returns the position of a write among the write ids of a record; nil if it isn't there. */
export const PLACE_OF_WRITE = `
  local function placeOfWrite(writes, id)
    for at = 1, #writes, ${WRITE_ID_LENGTH} do
      if string.sub(writes, at, at + ${WRITE_ID_LENGTH - 1}) == id then return at end
    end
  end`;

/** A count this old belongs to a dead process: live ones refresh theirs. */
export const WRITES_LIVE_MS = 7 * DAY_MS;

// Record, due time, indexes, lifetime and ledger change in one step: a crash in between would lose a due time or an entry.
const SWAP = defineScript(
  'swap',
  z.tuple([
    z.enum(['written', 'conflict', 'wrong time', 'wrong chain']),
    z.number(),
    z.string().nullable(),
    z.string().nullable(),
    z.array(z.string()),
    z.number(),
    z.number(),
  ]),
  `
  -- KEYS: record, due, activity, chain, unsealed, writes of the process, then the index of each entry.
  -- ARGV: expected write ids ('' = absent), own write id, record, due time ('' = none), ref,
  --       milliseconds to live ('' = for ever, 'kept' = unchanged), the time that the change was made for, process,
  --       then the member and the score of each entry ('' = not in the index), then appendArgs for the ledger.
  -- Returns the outcome, now, the write ids (nil = written by an earlier try, and others have changed it since), on a conflict
  -- the record, and otherwise the links whose lifetime must follow, with that lifetime (-1 = for ever), and the number of writes of
  -- the process in this shard, which is never the same for two answers.
  ${NOW}
  local writes = redis.call('HGET', KEYS[1], 'writes') or ''
  ${PLACE_OF_WRITE}
  local place = placeOfWrite(writes, ARGV[2])
  local function countWrite()
    local count = redis.call('INCR', KEYS[6])
    if count == 1 then redis.call('PEXPIRE', KEYS[6], ${WRITES_LIVE_MS}) end
    return count
  end
  if place then return {'written', now, place == 1 and writes, false, {}, -1, countWrite()} end
  if writes ~= ARGV[1] then
    return {'conflict', now, writes ~= '' and writes, redis.call('HGET', KEYS[1], 'record'), {}, -1, 0}
  end
  if math.abs(now - ARGV[7]) > ${MOST_CLOCK_ERROR_MS} then return {'wrong time', now, false, false, {}, -1, 0} end
  ${appendEntries({ chain: 'KEYS[4]', unsealed: 'KEYS[5]', from: '9 + 2 * (#KEYS - 6)' })}
  if otherLength then return {'wrong chain', now, false, false, {}, -1, 0} end
  writes = string.sub(ARGV[2] .. writes, 1, ${REMEMBERED})
  redis.call('HSET', KEYS[1], 'record', ARGV[3], 'writes', writes)
  redis.call('HDEL', KEYS[1], 'lease')
  if ARGV[4] == '' then redis.call('ZREM', KEYS[2], ARGV[5])
  else redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
  for i = 7, #KEYS do
    local member, score = ARGV[2 * i - 5], ARGV[2 * i - 4]
    if score == '' then redis.call('ZREM', KEYS[i], member)
    else redis.call('ZADD', KEYS[i], score, member) end
  end
  -- If publishing is forbidden, others find it a little later.
  redis.pcall('PUBLISH', '${DUE_CHANNEL}', ARGV[8] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
  local count = countWrite()
  if ARGV[6] == 'kept' then return {'written', now, writes, false, {}, -1, count} end
  ${setLifetime({ record: 'KEYS[1]', beside: ['KEYS[3]'], liveMs: 'ARGV[6]' })}
  if live < 0 and left < 0 then return {'written', now, writes, false, {}, live, count} end
  ${LINKS}
  return {'written', now, writes, false, links, live, count}`,
);

export const REMOVE = defineScript(
  'remove',
  z.tuple([z.enum(['removed', 'kept']), z.array(z.string())]),
  `
  -- KEYS: record, due, activity, then the index of each entry.
  -- ARGV: expected write ids, ref, then the member of each entry.
  -- Returns whether it was removed, and the links that led here.
  local writes = redis.call('HGET', KEYS[1], 'writes')
  if writes and writes ~= ARGV[1] then return {'kept', {}} end
  ${LINKS}
  redis.call('DEL', KEYS[1], KEYS[3])
  redis.call('ZREM', KEYS[2], ARGV[2])
  for i = 4, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i - 1]) end
  return {'removed', links}`,
);

/** Removes an expired record from an index. */
export const LEAVE_IF_ABSENT = defineScript(
  'leave-if-absent',
  z.number(),
  `
  -- KEYS: record, index. ARGV: ref.
  if redis.call('HEXISTS', KEYS[1], 'record') == 1 then return 0 end
  return redis.call('ZREM', KEYS[2], ARGV[1])`,
);

/**
 * Lua: sets the lifetime of a record and of the keys beside it, in milliseconds ('' = for ever). Sets `live` to the lifetime that
 * now applies (-1 = for ever) and `left` to the one before. A record that already expires gets no more time: otherwise a message
 * that Slack never accepts would keep it for ever.
 */
function setLifetime({ record, beside, liveMs }: { record: string; beside: string[]; liveMs: string }): string {
  return `
  local left, live = redis.call('PTTL', ${record}), tonumber(${liveMs}) or -1
  if live >= 0 and left >= 0 then live = math.min(live, left) end
  for _, key in ipairs({${[record, ...beside].join(', ')}}) do
    if live < 0 then redis.call('PERSIST', key)
    else redis.call('PEXPIRE', key, live) end
  end`;
}

/**
 * Lua: gives a key the lifetime of the record beside it. A key that is written before its record exists lives for `waitMs`; the
 * script that creates the record then sets its lifetime.
 */
export function liveLikeRecord({ key, record, waitMs }: { key: string; record: string; waitMs: string }): string {
  return `
  local left = redis.call('PTTL', ${record})
  if left == -2 then redis.call('PEXPIRE', ${key}, ${waitMs})
  elseif left >= 0 then redis.call('PEXPIRE', ${key}, left) end`;
}

// The links from ids of crew services to executions.

/** Limits the ids that a crew can make up. Twice the ids that the record names, because requests have execution ids, too. */
const MOST_LINKS = 2 * MOST_KICKOFF_IDS;

const LINK = defineScript(
  'link',
  z.number().nullable(),
  `
  -- KEYS: record. ARGV: link, milliseconds to wait for the record, most links in characters.
  -- Returns the lifetime of the record in milliseconds (-1 = for ever); null if it has as many links as it may.
  local isFirst = redis.call('EXISTS', KEYS[1]) == 0
  local links = redis.call('HGET', KEYS[1], 'links') or ''
  if not string.find(links, ARGV[1], 1, true) then
    if #links >= tonumber(ARGV[3]) then return false end
    redis.call('HSET', KEYS[1], 'links', links .. ARGV[1])
  end
  if isFirst then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return redis.call('PTTL', KEYS[1])`,
);

// The id may belong to another execution by now, into which this one was merged.
const FOLLOW = defineScript(
  'follow-link',
  z.number(),
  `
  -- KEYS: link. ARGV: ref, milliseconds to live ('' = for ever, 0 = none).
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  if ARGV[2] == '' then return redis.call('PERSIST', KEYS[1]) end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
);

/**
 * Stores which execution an id belongs to, unless this process has done so before or the execution has too many ids. The record
 * lists its links, because they lie in other slots.
 */
export async function linkId(
  redis: RedisClient,
  links: LocalState['links'],
  { crew, id, ref, retentionMs }: { crew: string; id: string; ref: string; retentionMs: number },
): Promise<void> {
  const link = linkOf(crew, id);
  const owner = linkOf(crew, ref);
  if (links.get(link) === owner) return;
  const until = answerDeadline();
  const key = linkKey(link);
  const args = [link, retentionMs, MOST_LINKS * LINK_LENGTH];
  const liveMs = await runScript(redis, LINK, { keys: [recordKeys(ref).record], args, until });
  if (liveMs === null) return;
  await insist(redis, until, () => (liveMs > 0 ? redis.set(key, ref, 'PX', liveMs) : redis.set(key, ref)));
  links.set(link, owner);
}

/**
 * Gives links the lifetime of their execution (`''` = for ever, 0 = none). The record has already changed, so a failure here only
 * costs some bytes or leaves an old link, and doesn't fail the change.
 */
export async function followLinks(
  redis: RedisClient,
  links: string[],
  { ref, liveMs, until }: { ref: string; liveMs: number | ''; until: Deadline },
): Promise<void> {
  const follow = (link: string) => runScript(redis, FOLLOW, { keys: [linkKey(link)], args: [ref, liveMs], until });
  await Promise.allSettled(links.map(follow));
}
