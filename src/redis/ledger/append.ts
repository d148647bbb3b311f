import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Entry } from '../../core/ledger/entry.ts';
import { ledgerKey, shardOf, unsealedKey } from '../keys.ts';
import { storedEntry } from './stored-entry.ts';

export const DAY_MS = 24 * 60 * 60_000;

/**
 * How long a chain lives after its last entry: until the last checkpoint of the day on which that was sealed is as old as entries
 * have to be to be missing.
 */
export function chainLifetimeMs(auditDays: number): number {
  return (auditDays + 2) * DAY_MS;
}

/** How many arguments come before the entries. */
const HEAD_ARGS = 3;

/** The keys that the Lua of `appendEntries` takes, in its order. */
export function appendKeys(ref: string): string[] {
  return [ledgerKey(ref), unsealedKey(shardOf(ref))];
}

/** What every process that writes entries has to know. */
export interface LedgerOptions {
  /** How long the entries of a chain are kept after the last one. */
  auditDays: number;
  /** From each secret, newest first. Only entries that one of them vouches for get sealed. */
  entryKeys: readonly Buffer[];
}

/**
 * The arguments that the Lua of `appendEntries` takes: the length that the chain must have, milliseconds to live, the number of
 * entries, their stored forms, and what the sealer is told of each.
 * @param entries new ones of one chain, in order; there may be none
 */
export function appendArgs(
  entries: readonly Entry[],
  { auditDays, entryKeys }: LedgerOptions,
): (string | number | Buffer)[] {
  const length = (entries[0]?.seq ?? 1) - 1;
  const unsealed = entries.map((entry) => unsealedEntry(entry, entryKeys));
  return [length, chainLifetimeMs(auditDays), entries.length, ...entries.map(storedEntry), ...unsealed];
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
  /** In hex, empty for the first of its chain; null for an entry that was written before the sealer was told of it. */
  prev: string | null;
}

// An attacker who has Redis can compute the hash of an entry, but not these codes, which say that a process with our secret has
// written it after the one with the hash `prev`. While secrets rotate, there is one for each, since another process may have only
// one of them.
const VERSION = 2;
const MAC_BYTES = 16;

function unsealedEntry({ hash, seq, at, prev, ref }: Entry, keys: readonly Buffer[]): string {
  const content = `${base64(hash)} ${seq} ${at} ${prev === '' ? '-' : base64(prev)}`;
  return `${VERSION} ${content} ${keys.map((key) => macOf(`${content} ${ref}`, key)).join()} ${ref}`;
}

const UNSEALED = /^2 (([\w-]{43}) (\d{1,15}) (\d{1,15}) (-|[\w-]{43})) ([\w,-]*) (.+)$/s;
/** Without what the entry follows on, and who wrote it. */
const UNSEALED_1 = /^([\w-]{43}) (\d{1,15}) (\d{1,15}) (.+)$/s;

/** Null if it is no entry at all. */
export function readUnsealed(text: string): UnsealedEntry | null {
  const [, , hash = '', seq, at, prev = '', , ref = ''] = UNSEALED.exec(text) ?? [];
  if (hash !== '')
    return { ref, seq: Number(seq), at: Number(at), hash: hex(hash), prev: prev === '-' ? '' : hex(prev) };
  const [, oldHash, oldSeq, oldAt, oldRef = ''] = UNSEALED_1.exec(text) ?? [];
  if (oldHash === undefined) return null;
  return { ref: oldRef, seq: Number(oldSeq), at: Number(oldAt), hash: hex(oldHash), prev: null };
}

/** Whether a process with one of these keys has written it. */
export function isOurs(unsealed: string, keys: readonly Buffer[]): boolean {
  const [, content = '', , , , , codes = '', ref = ''] = UNSEALED.exec(unsealed) ?? [];
  return codes.split(',').some((code) => isCodeOf(code, `${content} ${ref}`, keys));
}

/** Whether one of these keys has made the code of a text. */
export function isCodeOf(code: string, text: string, keys: readonly Buffer[]): boolean {
  const given = Buffer.from(code);
  const known = keys.map((key) => Buffer.from(macOf(text, key)));
  return known.some((own) => given.length === own.length && timingSafeEqual(given, own));
}

export function macOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest().toString('base64url', 0, MAC_BYTES);
}

function base64(hash: string): string {
  return Buffer.from(hash, 'hex').toString('base64url');
}

function hex(hash: string): string {
  return Buffer.from(hash, 'base64url').toString('hex');
}
