import { Cluster } from 'ioredis';
import { z } from 'zod';
import { type Entry, headAfter, type LedgerHead, NO_ENTRIES, newEntries } from '../../core/ledger/entry.ts';
import type { LedgerEvent } from '../../core/ledger/event.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { answerDeadline, type Deadline, insist, type RedisClient, runScript } from '../connection/call.ts';
import { defineScript } from '../connection/script.ts';
import { ALL_LEDGER_KEYS, ledgerKey, refOfLedgerKey, SHARDS, unsealedKey } from '../keys.ts';
import { appendArgs, appendEntries, appendKeys, type LedgerOptions, readUnsealed } from './append.ts';
import { readEntries } from './stored-entry.ts';

/** How often an entry is tried again when another process has appended one. Of any number of writes, one wins each time. */
const MOST_TRIES = 200;

const APPEND = defineScript(
  'append-entries',
  z.number().nullable(),
  `
  -- KEYS: chain, unsealed, then the mark of a request, if it has one. ARGV: milliseconds that a mark lives, then see appendArgs.
  -- Returns nil, or the length of the chain if it isn't the expected one. Appends nothing for a request that has left its mark.
  if KEYS[3] and redis.call('EXISTS', KEYS[3]) == 1 then return nil end
  ${appendEntries({ chain: 'KEYS[1]', unsealed: 'KEYS[2]', from: '2' })}
  if KEYS[3] and not otherLength then redis.call('SET', KEYS[3], '', 'PX', ARGV[1]) end
  return otherLength`,
);

/** Longer than Slack delivers a request again: https://docs.slack.dev/apis/events-api/#retries */
const MARK_MS = 60 * 60_000;

/** All entries of a run, or of another chain; none if they have expired. @throws {StoreUnavailable} */
export async function readChain(redis: RedisClient, ref: string, until = answerDeadline()): Promise<Entry[]> {
  return readEntries(ref, await insist(redis, until, () => redis.lrangeBuffer(ledgerKey(ref), 0, -1)));
}

/** Where a chain goes on, for a record that doesn't know. @throws {StoreUnavailable} */
export async function readHead(redis: RedisClient, ref: string, until?: Deadline): Promise<LedgerHead> {
  return headAfter(NO_ENTRIES, await readChain(redis, ref, until));
}

interface AppendOptions extends LedgerOptions {
  /** Exists once a request has left entries here: then it leaves no more. In the shard of the chain. */
  mark?: string;
}

/**
 * Appends to a chain that no record has the head of, such as `crew:<name>`. Resolves to the new entries.
 * @throws {StoreUnavailable} then nobody knows whether they were written
 */
export function appendToChain(
  redis: RedisClient,
  ref: string,
  { events, ...options }: { events: readonly LedgerEvent[] } & AppendOptions,
): Promise<Entry[]> {
  return extendChain(redis, ref, { eventsAfter: () => events, ...options });
}

/**
 * The same for events that depend on what there is: they are worked out again whenever another process was faster.
 * @throws {StoreUnavailable} then nobody knows whether they were written
 */
export async function extendChain(
  redis: RedisClient,
  ref: string,
  {
    eventsAfter,
    mark,
    ...options
  }: { eventsAfter: (chain: readonly Entry[]) => readonly LedgerEvent[] } & AppendOptions,
): Promise<Entry[]> {
  const until = answerDeadline();
  let written: Entry[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const chain = await readChain(redis, ref, until);
    // A retry after a lost answer finds its own entries.
    if (written.length > 0 && written.every(({ seq, hash }) => chain[seq - 1]?.hash === hash)) return written;
    written = newEntries(ref, headAfter(NO_ENTRIES, chain), eventsAfter(chain));
    if (written.length === 0) return [];
    const keys = [...appendKeys(ref), ...(mark === undefined ? [] : [mark])];
    const call = { keys, args: [MARK_MS, ...appendArgs(written, options)], until };
    if ((await runScript(redis, APPEND, call)) === null) return written;
  }
  throw new StoreUnavailable(`The chain ${ref} was changed at the same moment too often.`);
}

/** Whether there is a chain with entries that don't wait to be sealed. Looks at all keys. @throws {StoreUnavailable} */
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
      const [next, found] = await insist(redis, until, () =>
        node.scan(cursor, 'MATCH', ALL_LEDGER_KEYS, 'COUNT', 1_000),
      );
      keys.push(...found);
      cursor = next;
    } while (cursor !== '0');
  }
  return keys;
}
