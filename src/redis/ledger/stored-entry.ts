import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { canonicalJson } from '../../core/ledger/canonical-json.ts';
import { chainEntries, type Entry, type LedgerHead, NO_ENTRIES } from '../../core/ledger/entry.ts';
import type { LedgerEvent, LedgerKind } from '../../core/ledger/event.ts';
import { DICTIONARY_1 } from './dictionary.ts';

const VERSION = 1;

/** The number that stands for each kind, for ever. */
const NUMBERS: Record<LedgerKind, number> = {
  asked: 0,
  voted: 1,
  withdrawn: 2,
  decided: 3,
  refused: 4,
  undone: 5,
  'handed-over': 6,
  reminded: 7,
  escalated: 8,
  expired: 9,
  sent: 10,
  confirmed: 11,
  unconfirmed: 12,
  policy: 13,
  'taken-back': 14,
  named: 15,
};
const KINDS = Object.fromEntries(Object.entries(NUMBERS).map(([kind, number]) => [number, kind]));

// A small window is set up faster than a large one, and holds the dictionary.
const DEFLATE = { dictionary: DICTIONARY_1, level: 9, windowBits: 12, memLevel: 6 };

/** Thrown for an entry of a version that is newer than this process. */
export class UnreadableEntry extends Error {
  override name = 'UnreadableEntry';
}

/** Hashes and UUIDs take whole units, whose number fits into a byte. */
const UNIT_BYTES = 16;
const MOST_UNITS = 255;
/** The version and the number of units. */
const HEAD_BYTES = 2;

/**
 * The compact form in which Redis keeps an entry: a byte with the version, a byte with the number of units, the hashes and UUIDs
 * that it names in binary, and the rest compressed. What follows from the entry's place in its chain is left out.
 */
export function storedEntry({ kind, at, facts }: Entry): Buffer {
  const binary: Buffer[] = [];
  let units = 0;
  const json = `${NUMBERS[kind]},${at},${canonicalJson(facts)}`;
  const text = json.replace(HASH_OR_UUID, (whole, hash?: string, uuid?: string) => {
    const bytes = Buffer.from(hash ?? uuid?.replaceAll('-', '') ?? '', 'hex');
    if (units + bytes.length / UNIT_BYTES > MOST_UNITS) return whole;
    units += bytes.length / UNIT_BYTES;
    binary.push(bytes);
    return hash === undefined ? UUID_MARK : HASH_MARK;
  });
  return Buffer.concat([Buffer.of(VERSION, units), ...binary, deflateRawSync(text, DEFLATE)]);
}

/** All entries of a chain, from their stored forms. @throws {UnreadableEntry} */
export function readEntries(ref: string, stored: readonly Buffer[]): Entry[] {
  return readEntriesAfter(ref, NO_ENTRIES, stored);
}

/** The entries of a chain that follow on one of them. @throws {UnreadableEntry} */
export function readEntriesAfter(ref: string, head: LedgerHead, stored: readonly Buffer[]): Entry[] {
  return chainEntries(ref, head, stored.map(readEvent));
}

// JSON has no control characters, and an escaped quotation mark isn't followed by one that ends the string.
const HASH_MARK = '\u0001';
const UUID_MARK = '\u0002';
const HASH_OR_UUID = /"([0-9a-f]{64})"|"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/g;
const MARKS = new RegExp(`[${HASH_MARK}${UUID_MARK}]`, 'g');

function readEvent(stored: Buffer): LedgerEvent {
  const [version, units = 0] = stored;
  if (version !== VERSION) throw new UnreadableEntry(`An entry of the ledger has version ${version}.`);
  let at = HEAD_BYTES;
  const text = inflateRawSync(stored.subarray(at + units * UNIT_BYTES), DEFLATE).toString('utf8');
  const json = text.replace(MARKS, (mark) => {
    const hex = stored.toString('hex', at, at + (mark === HASH_MARK ? 2 : 1) * UNIT_BYTES);
    at += hex.length / 2;
    return JSON.stringify(mark === HASH_MARK ? hex : uuidOf(hex));
  });
  const [kind, time, facts] = JSON.parse(`[${json}]`);
  return { kind: KINDS[kind], at: time, facts } as LedgerEvent;
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
