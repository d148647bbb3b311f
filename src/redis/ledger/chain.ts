import { Cluster } from 'ioredis';
import { z } from 'zod';
import {
  type Entry,
  headAfter,
  type LedgerEvent,
  type LedgerHead,
  NO_ENTRIES,
  newEntries,
} from '../../core/ledger/entry.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { answerDeadline, type Deadline, defineScript, insist, type RedisClient, runScript } from '../call.ts';
import { ALL_LEDGER_KEYS, ledgerHeadKey, ledgerKey, refOfLedgerKey, SHARDS, unsealedKey } from '../keys.ts';
import { appendArgs, appendEntries, appendKeys, type LedgerOptions, readEntries, readUnsealed } from './entries.ts';

// Chains of ledger entries, each of a run or of a crew: how they are read, how they grow, and where they end.

/** Retries when another process has appended an entry. Of any number of writes, one wins each time. */
export const MOST_TRIES = 200;

/** The end of a chain. */
interface ChainHead extends LedgerHead {
  /** Last policy in the chain; null if there is none. */
  policy: string | null;
}

const NO_HEAD: ChainHead = { ...NO_ENTRIES, policy: null };

/** Returns the arguments for the Lua of `keepHead`: the length, and the head as JSON. */
export function headArgs(head: ChainHead): (string | number)[] {
  return [head.seq, JSON.stringify(head)];
}

/** Lua: stores a head beside its chain, with the same lifetime. It is valid while the chain has that length. */
export function keepHead({ chain, head, from }: { chain: string; head: string; from: string }): string {
  return `
  redis.call('SET', ${head}, ARGV[${from} + 1])
  redis.call('PEXPIRE', ${head}, redis.call('PTTL', ${chain}))`;
}

const HEAD = defineScript(
  'chain-head',
  z.tuple([z.number(), z.string().nullable()]),
  `
  -- KEYS: chain, head. Returns the length of the chain, and what is kept of its head (nil = nothing).
  return {redis.call('LLEN', KEYS[1]), redis.call('GET', KEYS[2])}`,
);

const STORED_HEAD: z.ZodType<ChainHead> = z.object({
  seq: z.number(),
  hash: z.string(),
  at: z.number(),
  asked: z.number(),
  policy: z.string().nullable(),
});

const KEEP_HEAD = defineScript(
  'keep-chain-head',
  z.number(),
  `
  -- KEYS: chain, head. ARGV: see headArgs. Returns 0 if the chain has another length by now.
  if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
  ${keepHead({ chain: 'KEYS[1]', head: 'KEYS[2]', from: '1' })}
  return 1`,
);

const APPEND = defineScript(
  'append-entries',
  z.number().nullable(),
  `
  -- KEYS: chain, unsealed, head. ARGV: see headArgs, then see appendArgs.
  -- Returns nil, or the length of the chain if it isn't the expected one.
  ${appendEntries({ chain: 'KEYS[1]', unsealed: 'KEYS[2]', from: '3' })}
  if otherLength then return otherLength end
  ${keepHead({ chain: 'KEYS[1]', head: 'KEYS[3]', from: '1' })}`,
);

/** Returns all entries of a chain; none if they have expired. @throws {StoreUnavailable} */
export async function readChain(redis: RedisClient, ref: string, until = answerDeadline()): Promise<Entry[]> {
  return readEntries(ref, await insist(redis, until, () => redis.lrange(ledgerKey(ref), 0, -1)));
}

/**
 * Returns the head of a chain, for a record with an old head, or a chain without a record. Reads the whole chain only if it has
 * grown otherwise since its head was stored. @throws {StoreUnavailable}
 */
export async function readHead(redis: RedisClient, ref: string, until = answerDeadline()): Promise<ChainHead> {
  const keys = [ledgerKey(ref), ledgerHeadKey(ref)];
  const stored = keptHead(...(await runScript(redis, HEAD, { keys, until })));
  if (stored) return stored;
  const head = chainHeadAfter(NO_HEAD, await readChain(redis, ref, until));
  if (head.seq > 0) await runScript(redis, KEEP_HEAD, { keys, args: headArgs(head), until });
  return head;
}

/** Returns the stored head; null if the chain has another length. */
function keptHead(length: number, stored: string | null): ChainHead | null {
  if (length === 0) return NO_HEAD;
  const head = stored === null ? null : STORED_HEAD.parse(JSON.parse(stored));
  return head?.seq === length ? head : null;
}

/** Returns the head after more entries. */
export function chainHeadAfter(head: ChainHead, entries: readonly Entry[]): ChainHead {
  const last = entries.findLast(({ kind }) => kind === 'policy');
  const policy = last && 'policy' in last.facts ? last.facts.policy : head.policy;
  return { ...headAfter(head, entries), policy };
}

interface Appended extends LedgerOptions {
  /** The events, or a function that computes them from the head; it runs again whenever another process was faster. */
  events: readonly LedgerEvent[] | ((head: ChainHead) => readonly LedgerEvent[]);
}

/**
 * Appends to a chain without a record, such as `crew:<name>`. Resolves to the new entries.
 * @throws {StoreUnavailable} then nobody knows whether they were written
 */
export async function appendToChain(
  redis: RedisClient,
  ref: string,
  { events, ...options }: Appended,
): Promise<Entry[]> {
  const until = answerDeadline();
  let head = await readHead(redis, ref, until);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const entries = newEntries(ref, head, typeof events === 'function' ? events(head) : events);
    if (entries.length === 0) return [];
    const keys = [...appendKeys(ref), ledgerHeadKey(ref)];
    const args = [...headArgs(chainHeadAfter(head, entries)), ...appendArgs(entries, options)];
    if ((await runScript(redis, APPEND, { keys, args, until })) === null) return entries;
    const { seq } = head;
    const stored = await insist(redis, until, () => redis.lrange(ledgerKey(ref), seq, -1));
    const since = readEntries(ref, stored, head);
    // A retry after a lost answer finds its own entries.
    if (entries.every(({ hash }, i) => since[i]?.hash === hash)) return entries;
    head = since.length > 0 ? chainHeadAfter(head, since) : await readHead(redis, ref, until);
  }
  throw new StoreUnavailable(`The chain ${ref} was changed at the same moment too often.`);
}

/** Returns true if a chain has entries that aren't waiting to be sealed. Looks at all keys. @throws {StoreUnavailable} */
export async function hasSealedChains(redis: RedisClient): Promise<boolean> {
  const until = answerDeadline();
  const lengths = new Map<string, number>();
  for (const key of await ledgerKeys(redis, until))
    lengths.set(refOfLedgerKey(key), await insist(redis, until, () => redis.llen(key)));
  const waiting = new Map<string, number>();
  for (const shard of SHARDS) {
    for (const text of await insist(redis, until, () => redis.lrange(unsealedKey(shard), 0, -1))) {
      const ref = readUnsealed(text)?.ref ?? '';
      waiting.set(ref, (waiting.get(ref) ?? 0) + 1);
    }
  }
  return [...lengths].some(([ref, length]) => length > (waiting.get(ref) ?? 0));
}

async function ledgerKeys(redis: RedisClient, until: Deadline): Promise<string[]> {
  const keys: string[] = [];
  for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
    let cursor = '0';
    do {
      const [next, batch] = await insist(redis, until, () =>
        node.scan(cursor, 'MATCH', ALL_LEDGER_KEYS, 'COUNT', 1_000),
      );
      keys.push(...batch);
      cursor = next;
    } while (cursor !== '0');
  }
  return keys;
}
