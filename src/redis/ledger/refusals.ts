import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, type LedgerEvent, type LedgerFacts, newEntries } from '../../core/ledger/entry.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { fingerprint } from '../../core/values/text.ts';
import type { Millis } from '../../core/values/time.ts';
import { answerDeadline, defineScript, NOW, type RedisClient, runScript } from '../call.ts';
import { ledgerHeadKey, refusedRequestKey, repeatsKey, shardOf } from '../keys.ts';
import { runPerNode, shardKeys } from '../per-node.ts';
import { chainHeadAfter, headArgs, keepHead, MOST_TRIES, readHead } from './chain.ts';
import { appendArgs, appendEntries, appendKeys, codeOf, isCodeOf, type LedgerOptions } from './entries.ts';
import { crewDayChain, redisNow } from './policies.ts';

// The ledger entries of refused attempts. They are limited: a refusal that is repeated within a minute is only counted.

/** Time for which a repeated refusal is only counted. */
const COUNTED_MS = 60_000;

/** Longer than Slack redelivers a request: https://docs.slack.dev/apis/events-api/#retries */
const MARK_MS = 10 * 60_000;

/** Lua: sets `ends` to the end of the counting and `count` to the repetitions of a refusal; 0 for an unknown one. */
const COUNTED = `
  local ends, count = string.match(redis.call('HGET', KEYS[4], ARGV[1]) or '0 0', '(%d+) (%d+)')
  ends, count = tonumber(ends), tonumber(count)`;

// The count and its entry change in one step, so that none is lost or entered twice.
const RECORD = defineScript(
  'record-refusal',
  z.tuple([z.enum(['done', 'new']), z.number(), z.number()]),
  `
  -- KEYS: chain, unsealed, head, repeats, then the mark of the request, unless only what was counted is to become an entry.
  -- ARGV: the refusal, the count that the entries tell ('' = there are no entries yet), milliseconds for which a refusal is
  --       counted, milliseconds that a mark lives, then see headArgs, then see appendArgs.
  -- Returns whether it is done, or new, which takes entries; then now, and the count that they have to tell.
  ${NOW}
  if KEYS[5] and redis.call('EXISTS', KEYS[5]) == 1 then return {'done', now, 0} end
  ${COUNTED}
  if not KEYS[5] and (count == 0 or now < ends) then return {'done', now, 0} end
  if now < ends then
    redis.call('HSET', KEYS[4], ARGV[1], string.format('%.0f %d', ends, count + 1))
    redis.call('SET', KEYS[5], '', 'PX', ARGV[4])
    return {'done', now, 0}
  end
  if ARGV[2] ~= tostring(count) then return {'new', now, count} end
  ${appendEntries({ chain: 'KEYS[1]', unsealed: 'KEYS[2]', from: '7' })}
  if otherLength then return {'new', now, count} end
  ${keepHead({ chain: 'KEYS[1]', head: 'KEYS[3]', from: '5' })}
  if KEYS[5] then
    redis.call('HSET', KEYS[4], ARGV[1], string.format('%.0f 0', now + ARGV[3]))
    redis.call('SET', KEYS[5], '', 'PX', ARGV[4])
  else redis.call('HDEL', KEYS[4], ARGV[1]) end
  return {'done', now, 0}`,
);

const COUNTED_REFUSALS = defineScript(
  'counted-refusals',
  z.array(z.string()),
  `
  -- KEYS: repeats of each shard. ARGV: more of the KEYS.
  -- Returns the refusals that were repeated and whose minute is over. Forgets those that weren't repeated.
  ${NOW}
  ${shardKeys(0)}
  local found = {}
  -- One command tells that there is nothing. In a Cluster it fails, since the shards lie in several slots; then each key is looked at.
  if redis.pcall('EXISTS', unpack(shardKeys)) == 0 then return found end
  for _, key in ipairs(shardKeys) do
    local cells = redis.call('HGETALL', key)
    for i = 1, #cells, 2 do
      local ends, count = string.match(cells[i + 1], '(%d+) (%d+)')
      if tonumber(ends) <= now then
        if count == '0' then redis.call('HDEL', key, cells[i]) else found[#found + 1] = cells[i] end
      end
    end
  end
  return found`,
);

const REFUSAL = z.tuple([
  z.string(),
  z.object({
    approval: z.string().nullable(),
    action: z.string(),
    by: z.string(),
    reason: z.string(),
    policy: z.string(),
  }),
]);

interface Refused extends LedgerOptions {
  facts: LedgerFacts['refused'];
  /** Id of the request, the same when Slack redelivers it; empty if unknown. */
  requestId: string;
}

/**
 * Enters a refused attempt into a chain, once for each request. The same refusal within a minute is only counted, with one
 * command however long the chain; one more entry has the count when the minute is over.
 * @throws {StoreUnavailable} then nobody knows whether it was written
 */
export async function recordRefusal(
  redis: RedisClient,
  ref: string,
  { facts, requestId, ...options }: Refused,
): Promise<void> {
  const refusal = canonicalJson([ref, facts]);
  // The mark keeps a command that is sent twice after a lost answer from counting twice.
  const mark = refusedRequestKey(ref, fingerprint([requestId || randomUUID(), refusal]));
  await record(redis, { ref, facts, counted: countedAs(refusal, options), mark, ...options });
}

/** Enters a refused start, which has no run, into the chain of the crew's day. @throws {StoreUnavailable} */
export async function recordRefusedStart(redis: RedisClient, crew: string, refused: Refused): Promise<void> {
  await recordRefusal(redis, crewDayChain(crew, await redisNow(redis)), refused);
}

/** Enters the counts of repeated refusals whose minute is over, at one command per node. @throws {StoreUnavailable} */
export async function enterRepeats(redis: RedisClient, options: LedgerOptions): Promise<void> {
  const refusals = await runPerNode(redis, COUNTED_REFUSALS, { keysOf: (shard) => [repeatsKey(shard)] });
  for (const counted of refusals.flat()) {
    const refusal = refusalOf(counted, options);
    if (refusal === null) continue;
    const [ref, facts] = REFUSAL.parse(JSON.parse(refusal));
    await record(redis, { ref, facts, counted, mark: null, ...options });
  }
}

/** Returns the stored form of a counted refusal. Its code proves that we counted it, so nothing else becomes an entry. */
function countedAs(refusal: string, { entryKeys: [key] }: LedgerOptions): string {
  return `${key ? codeOf(refusal, key) : ''} ${refusal}`;
}

/** Returns null if none of our processes counted it, as far as this one can tell while secrets rotate. */
function refusalOf(counted: string, { entryKeys }: LedgerOptions): string | null {
  const space = counted.indexOf(' ');
  const refusal = counted.slice(space + 1);
  return isCodeOf(counted.slice(0, Math.max(space, 0)), refusal, entryKeys) ? refusal : null;
}

interface Recording extends LedgerOptions {
  ref: string;
  facts: LedgerFacts['refused'];
  /** Stored form of the counted refusal. */
  counted: string;
  /** Mark of the request; null to enter only the count. */
  mark: string | null;
}

async function record(redis: RedisClient, { ref, facts, counted, mark, ...options }: Recording): Promise<void> {
  const until = answerDeadline();
  const keys = [...appendKeys(ref), ledgerHeadKey(ref), repeatsKey(shardOf(ref)), ...(mark === null ? [] : [mark])];
  const attempt = (times: number | '', rest: (string | number)[]) =>
    runScript(redis, RECORD, { keys, args: [counted, times, COUNTED_MS, MARK_MS, ...rest], until });
  let [outcome, now, count] = await attempt('', []);
  for (let tries = 0; outcome === 'new'; tries++) {
    if (tries === MOST_TRIES) throw new StoreUnavailable(`The chain ${ref} was changed at the same moment too often.`);
    const head = await readHead(redis, ref, until);
    const entries = newEntries(ref, head, refusalEvents(facts, { at: now, count, isRepeat: mark === null }));
    const rest = [...headArgs(chainHeadAfter(head, entries)), ...appendArgs(entries, options)];
    [outcome, now, count] = await attempt(count, rest);
  }
}

/** Returns the event of the counted repetitions, and then that of the new refusal. */
function refusalEvents(
  facts: LedgerFacts['refused'],
  { at, count, isRepeat }: { at: Millis; count: number; isRepeat: boolean },
): LedgerEvent[] {
  const repeats: LedgerEvent[] = count > 0 ? [{ kind: 'refused', at, facts: { ...facts, times: count } }] : [];
  return isRepeat ? repeats : [...repeats, { kind: 'refused', at, facts }];
}
