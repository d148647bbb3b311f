import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  canonicalJson,
  chainEntries,
  type Entry,
  type LedgerEvent,
  type LedgerFacts,
  type LedgerHead,
  type LedgerKind,
  NO_ENTRIES,
} from '../../core/ledger/entry.ts';
import { parseJson } from '../../core/values/json.ts';
import { DAY_MS, type Millis } from '../../core/values/time.ts';
import { ledgerKey, shardOf, unsealedKey } from '../keys.ts';

// Ledger entries in Redis. A chain is a list of events as JSON; the other fields of an entry follow from its position. The
// sealer's facts about new entries lie in a list for each shard until they are sealed.

const count = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.strictObject({ sha256: hash, length: count });
const approval = z.string();
const person = z.string();
const task = z.strictObject({ id: z.string(), name: z.string().nullable() });
const right = { by: person, rule: z.string(), account: z.enum(['member', 'guest', 'stranger']) };
const lentRight = { for: z.strictObject(right).optional(), named: z.string().optional() };
const proof = z.strictObject({ iss: z.string(), sub: z.string(), at: count, acr: z.string().nullable() });
const seat = { seat: z.string().optional() };
const place = z.string();
const counted = z.strictObject({ place, rule: z.string(), ...lentRight, ...seat });
const vote = { ...right, ...lentRight, ...seat, under: z.array(counted).optional(), proof: proof.optional() };
const completes = {
  completes: z.array(z.strictObject({ place, stage: z.string(), votes: z.array(z.strictObject(vote)) })).optional(),
};
const seen = z.strictObject({
  possible: z.array(place),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
/** The policy by which a request is judged. */
const policy = { policy: hash, seen: seen.optional() };
const stage = { stage: z.string().optional() };
const chosen = { outcome: z.string().optional(), answer: text.optional() };
const edited = { edited: text.optional() };

/** The stored and exported facts of each kind of event. docs/audit/entries.md explains each field. */
export const FACTS: { [Kind in LedgerKind]: z.ZodType<LedgerFacts[Kind]> } = {
  asked: z.strictObject({
    approval,
    crew: z.string(),
    channel: z.string(),
    task: task.extend({ titled: z.literal(true).optional() }),
    round: count,
    output: text,
    outcomes: z.array(z.string()).optional(),
    fields: z.array(z.string()).optional(),
    destination: z.enum(['flow', 'callback', 'poll']).optional(),
    limit_ms: count.optional(),
    starter: person.nullable(),
    ...policy,
  }),
  named: z.strictObject({
    approval,
    task: z.strictObject({ id: z.string(), name: z.string() }),
    ...policy,
  }),
  voted: z.strictObject({
    approval,
    ...vote,
    text: text.nullable(),
    ...edited,
    ...chosen,
    ...stage,
    ...completes,
    ...policy,
  }),
  edited: z.strictObject({ approval, by: person, rule: z.string(), text, ...policy }),
  withdrawn: z.strictObject({ approval, by: person, reason: z.string() }),
  decided: z.strictObject({
    approval,
    verdict: z.enum(['approve', 'reject', 'decline']),
    ...chosen,
    by: z.strictObject(vote).nullable(),
    votes: z.array(z.strictObject(vote)),
    text,
    ...edited,
    ...stage,
    ...completes,
    ...policy,
    escalated: z.array(place),
    handed_to: z.array(person),
    undo_ms: count,
  }),
  refused: z.strictObject({
    approval: approval.nullable(),
    action: z.string(),
    by: person,
    reason: z.string(),
    policy: hash,
    times: count.optional(),
  }),
  revealed: z.strictObject({ approval, by: person, secrets: count.positive() }),
  undone: z.strictObject({ approval, by: person, rule: z.string(), ...policy }),
  'handed-over': z.strictObject({
    approval,
    by: person,
    to: person,
    rule: z.string(),
    // Older builds let people hand on a right that was handed to them.
    ...lentRight,
    to_named: z.string().optional(),
    ...policy,
    until: count.optional(),
  }),
  'taken-back': z.strictObject({ approval, by: person, to: person, until: count }),
  reminded: z.strictObject({ approval, number: count, mentioned: z.array(z.string()) }),
  escalated: z.strictObject({
    approval,
    places: z.array(place),
    to: z.array(z.string()),
    mentioned: z.array(z.string()),
    ...policy,
  }),
  expired: z.strictObject({ approval, outcome: z.enum(['close', 'reject']), ...policy }),
  cancelled: z.strictObject({ approval, replaced_by: z.string().optional() }),
  sent: z.strictObject({ approval, attempt: count }),
  confirmed: z.strictObject({ approval, proof: z.enum(['accepted', 'evidence']) }),
  'not-confirmed': z.strictObject({ approval, attempt: count }),
  lost: z.strictObject({
    approval,
    verdict: z.enum(['approve', 'reject', 'decline']),
    by: person.nullable(),
    attempts: count,
  }),
  tried: z.strictObject({ crew: z.string(), task, kickoff: z.string(), text }),
  policy: z.strictObject({ crew: z.string(), policy: hash }),
};

export const LEDGER_KIND = z.enum(Object.keys(FACTS) as [LedgerKind, ...LedgerKind[]]);

const STORED_ENTRY = z.strictObject({ kind: LEDGER_KIND, at: count, facts: z.unknown() });

/** Thrown for an entry that this process can't read, such as a kind from a later version. */
export class UnreadableEntry extends Error {
  override name = 'UnreadableEntry';
}

export function storedEntry({ kind, at, facts }: LedgerEvent | Entry): string {
  const stored: z.input<typeof STORED_ENTRY> = { kind, at, facts };
  return JSON.stringify(stored);
}

/** Returns the stored entries of a chain after `head`, by default all of them. @throws {UnreadableEntry} */
export function readEntries(ref: string, stored: readonly string[], head: LedgerHead = NO_ENTRIES): Entry[] {
  return chainEntries(ref, head, stored.map(readEvent));
}

function readEvent(stored: string): LedgerEvent {
  try {
    const { kind, at, facts } = STORED_ENTRY.parse(JSON.parse(stored));
    return { kind, at, facts: FACTS[kind].parse(facts) } as LedgerEvent;
  } catch (cause) {
    throw new UnreadableEntry('An entry of the ledger in Redis can not be read.', { cause });
  }
}

/** Settings of every process that writes entries. */
export interface LedgerOptions {
  /** Days for which the entries of a chain are kept after the last one. */
  auditDays: number;
  /** One key from each secret, newest first. Only entries that one of them vouches for get sealed. */
  entryKeys: readonly Buffer[];
}

/**
 * Returns how long a chain lives after its last entry. The two days more than `auditDays` are for its sealing and for the checkpoints
 * of that day: an entry may be missing only once the last of these has expired.
 */
export function chainLifetimeMs(auditDays: number): number {
  return (auditDays + 2) * DAY_MS;
}

/** Returns the keys for the Lua of `appendEntries`. */
export function appendKeys(ref: string): string[] {
  return [ledgerKey(ref), unsealedKey(shardOf(ref))];
}

/** Number of arguments before the entries. */
const HEAD_ARGS = 3;

/**
 * Returns the arguments for the Lua of `appendEntries`: expected length of the chain, milliseconds to live, number of entries,
 * their stored forms, and the sealer's facts about each.
 * @param entries new entries of one chain, in order; may be empty
 */
export function appendArgs(entries: readonly Entry[], { auditDays, entryKeys }: LedgerOptions): (string | number)[] {
  const length = (entries[0]?.seq ?? 1) - 1;
  const unsealed = entries.map((entry) => unsealedEntry(entry, entryKeys));
  return [length, chainLifetimeMs(auditDays), entries.length, ...entries.map(storedEntry), ...unsealed];
}

/**
 * Lua: appends entries to their chain and to the unsealed ones. If the chain hasn't the expected length, it changes nothing and
 * sets `otherLength` to the real one. Must run before anything is written.
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

/** The sealer's facts about an unsealed entry. */
export interface UnsealedEntry {
  ref: string;
  seq: number;
  at: Millis;
  hash: string;
  /** Empty for the first of its chain. */
  prev: string;
}

// An attacker who has Redis can compute the hash of an entry, but not these codes. They prove that a process with our secret
// wrote it after the entry with the hash `prev`. While secrets rotate, there is one for each, because another process may know
// only one of them.
const UNSEALED = z.strictObject({
  ref: z.string(),
  seq: z.number().int().positive(),
  at: count,
  hash,
  prev: z.union([hash, z.literal('')]),
  codes: z.array(z.string()),
});

function unsealedEntry({ ref, seq, at, hash, prev }: Entry, keys: readonly Buffer[]): string {
  const content = canonicalJson({ ref, seq, at, hash, prev });
  const stored: z.input<typeof UNSEALED> = { ref, seq, at, hash, prev, codes: keys.map((key) => codeOf(content, key)) };
  return JSON.stringify(stored);
}

/** Reads the sealer's facts about an entry; null if the text is no entry at all. */
export function readUnsealed(stored: string): UnsealedEntry | null {
  const unsealed = parseUnsealed(stored);
  if (unsealed === undefined) return null;
  const { ref, seq, at, hash, prev } = unsealed;
  return { ref, seq, at, hash, prev };
}

/** Returns true if a process with one of these keys wrote the entry. */
export function isOurs(stored: string, keys: readonly Buffer[]): boolean {
  const unsealed = parseUnsealed(stored);
  if (unsealed === undefined) return false;
  const { codes, ...content } = unsealed;
  return codes.some((code) => isCodeOf(code, canonicalJson(content), keys));
}

function parseUnsealed(stored: string): z.infer<typeof UNSEALED> | undefined {
  return UNSEALED.safeParse(parseJson(stored)).data;
}

const CODE_BYTES = 16;

/** Returns the code that proves that a process with this key wrote the text. */
export function codeOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest().toString('base64url', 0, CODE_BYTES);
}

/** Returns true if the code was made from the text with one of these keys. */
export function isCodeOf(code: string, text: string, keys: readonly Buffer[]): boolean {
  const bytes = Buffer.from(code);
  const codes = keys.map((key) => Buffer.from(codeOf(text, key)));
  return codes.some((own) => bytes.length === own.length && timingSafeEqual(bytes, own));
}
