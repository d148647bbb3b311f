import type { Millis } from '../time.ts';
import { canonicalJson } from './canonical-json.ts';
import type { LedgerEvent, LedgerKind } from './event.ts';
import { sha256After } from './sha256.ts';

/** Where a chain goes on: what is known of its last entry. */
export interface LedgerHead {
  seq: number;
  hash: string;
  at: Millis;
  /** The number of the last request that it has asked for. */
  asked: number;
}

/** Before the first entry. */
export const NO_ENTRIES: LedgerHead = { seq: 0, hash: '', at: 0, asked: 0 };

/** One event in the chain of its run, as it is exported. */
export interface Entry {
  /** 1, 2, … within its run. */
  seq: number;
  at: Millis;
  ref: string;
  kind: LedgerKind;
  facts: LedgerEvent['facts'];
  /** The hash of the entry before, in lower-case hex; empty for the first. */
  prev: string;
  hash: string;
}

/** The entries that new events become. None is dated before the one that it follows on, even if Redis' clock was set back. */
export function newEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  let { at } = head;
  const dated = events.map((event) => {
    at = Math.max(at, event.at);
    return { ...event, at };
  });
  return chainEntries(ref, head, dated);
}

/** Where a chain goes on after more entries. */
export function headAfter(head: LedgerHead, entries: readonly Entry[]): LedgerHead {
  return entries.reduce<LedgerHead>(
    ({ asked }, { seq, hash, at, facts }) => ({
      seq,
      hash,
      at,
      asked: 'output' in facts ? Number(facts.approval) : asked,
    }),
    head,
  );
}

/** The entries that events become, after those of a run that there are. */
export function chainEntries(ref: string, head: LedgerHead, events: readonly LedgerEvent[]): Entry[] {
  const entries: Entry[] = [];
  for (const { kind, at, facts } of events) {
    const { seq, hash: prev } = entries.at(-1) ?? head;
    const content = { seq: seq + 1, at, ref, kind, facts, prev };
    entries.push({ ...content, hash: hashOf(content) });
  }
  return entries;
}

/** The SHA-256 of the bytes of the hash before, and the canonical JSON of everything else in the entry. */
export function hashOf({ seq, at, ref, kind, facts, prev }: Omit<Entry, 'hash'>): string {
  return sha256After(prev, canonicalJson({ seq, at, ref, kind, facts, prev }));
}
