import type { Entry } from '../../core/ledger/entry.ts';
import { ledgerKey, shardOf, unsealedKey } from '../keys.ts';
import { storedEntry } from './stored-entry.ts';

export const DAY_MS = 24 * 60 * 60_000;

/** How many arguments come before the entries. */
const HEAD_ARGS = 3;

/** The keys that the Lua of `appendEntries` takes, in its order. */
export function appendKeys(ref: string): string[] {
  return [ledgerKey(ref), unsealedKey(shardOf(ref))];
}

/**
 * The arguments that the Lua of `appendEntries` takes: the length that the chain must have, milliseconds to live, the number of
 * entries, their stored forms, and what the sealer is told of each.
 * @param entries new ones of one chain, in order; there may be none
 */
export function appendArgs(
  entries: readonly Entry[],
  { auditDays }: { auditDays: number },
): (string | number | Buffer)[] {
  const length = (entries[0]?.seq ?? 1) - 1;
  return [length, auditDays * DAY_MS, entries.length, ...entries.map(storedEntry), ...entries.map(unsealedEntry)];
}

/**
 * Lua: appends entries to their chain and to what is not sealed yet, unless the chain has another length than expected: then
 * it changes nothing and leaves that length in `otherLength`, which is nil otherwise. To be run before anything is written.
 * @param from the place in ARGV where the `appendArgs` begin
 */
export function appendEntries({ chain, unsealed, from }: { chain: string; unsealed: string; from: string }): string {
  return `
  local otherLength
  do
    local from = ${from}
    local count = tonumber(ARGV[from + 2])
    local length = count > 0 and redis.call('LLEN', ${chain})
    if length and length ~= tonumber(ARGV[from]) then otherLength = length
    elseif length then
      for i = from + ${HEAD_ARGS}, from + ${HEAD_ARGS - 1} + count do
        redis.call('RPUSH', ${chain}, ARGV[i])
        redis.call('RPUSH', ${unsealed}, ARGV[i + count])
      end
      redis.call('PEXPIRE', ${chain}, ARGV[from + 1])
    end
  end`;
}

/** An entry that is not sealed yet. */
export interface UnsealedEntry {
  ref: string;
  seq: number;
  at: number;
  /** In hex. */
  hash: string;
}

function unsealedEntry({ hash, seq, at, ref }: Entry): string {
  return `${Buffer.from(hash, 'hex').toString('base64url')} ${seq} ${at} ${ref}`;
}

export function readUnsealed(text: string): UnsealedEntry {
  const [hash = '', seq, at, ...ref] = text.split(' ');
  return {
    ref: ref.join(' '),
    seq: Number(seq),
    at: Number(at),
    hash: Buffer.from(hash, 'base64url').toString('hex'),
  };
}
