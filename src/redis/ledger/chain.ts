import { z } from 'zod';
import { chainEntries, type Entry, type LedgerHead, NO_ENTRIES } from '../../core/ledger/entry.ts';
import type { LedgerEvent } from '../../core/ledger/event.ts';
import { StoreUnavailable } from '../../core/ports.ts';
import { answerDeadline, type Deadline, insist, type RedisClient, runScript } from '../connection/call.ts';
import { defineScript } from '../connection/script.ts';
import { ledgerKey } from '../keys.ts';
import { appendArgs, appendEntries, appendKeys } from './append.ts';
import { readEntries } from './stored-entry.ts';

/** How often an entry is tried again when another process has appended one. Of any number of writes, one wins each time. */
const MOST_TRIES = 200;

const APPEND = defineScript(
  'append-entries',
  z.number().nullable(),
  `
  -- KEYS: chain, unsealed. ARGV: see appendArgs.
  -- Returns nil, or the length of the chain if it isn't the expected one.
  ${appendEntries({ chain: 'KEYS[1]', unsealed: 'KEYS[2]', from: '1' })}
  return otherLength`,
);

/** All entries of a run, or of another chain; none if they have expired. @throws {StoreUnavailable} */
export async function readChain(redis: RedisClient, ref: string, until = answerDeadline()): Promise<Entry[]> {
  return readEntries(ref, await insist(redis, until, () => redis.lrangeBuffer(ledgerKey(ref), 0, -1)));
}

/** Where a chain goes on, for a record that doesn't know. @throws {StoreUnavailable} */
export async function readHead(redis: RedisClient, ref: string, until?: Deadline): Promise<LedgerHead> {
  return headOf(await readChain(redis, ref, until));
}

/**
 * Appends to a chain that no record has the head of, such as `crew:<name>`. Resolves to the new entries.
 * @throws {StoreUnavailable} then nobody knows whether they were written
 */
export function appendToChain(
  redis: RedisClient,
  ref: string,
  { events, auditDays }: { events: readonly LedgerEvent[]; auditDays: number },
): Promise<Entry[]> {
  return extendChain(redis, ref, { eventsAfter: () => events, auditDays });
}

/**
 * The same for events that depend on what there is: they are worked out again whenever another process was faster.
 * @throws {StoreUnavailable} then nobody knows whether they were written
 */
export async function extendChain(
  redis: RedisClient,
  ref: string,
  { eventsAfter, auditDays }: { eventsAfter: (chain: readonly Entry[]) => readonly LedgerEvent[]; auditDays: number },
): Promise<Entry[]> {
  const until = answerDeadline();
  let written: Entry[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const chain = await readChain(redis, ref, until);
    // A retry after a lost answer finds its own entries.
    if (written.length > 0 && written.every(({ seq, hash }) => chain[seq - 1]?.hash === hash)) return written;
    written = chainEntries(ref, headOf(chain), eventsAfter(chain));
    if (written.length === 0) return [];
    const call = { keys: appendKeys(ref), args: appendArgs(written, { auditDays }), until };
    if ((await runScript(redis, APPEND, call)) === null) return written;
  }
  throw new StoreUnavailable(`The chain ${ref} was changed at the same moment too often.`);
}

function headOf(chain: readonly Entry[]): LedgerHead {
  const { seq, hash } = chain.at(-1) ?? NO_ENTRIES;
  return { seq, hash };
}
