import type { Millis } from '../time.ts';
import { canonicalJson } from './canonical-json.ts';
import type { LedgerEvent, LedgerKind } from './event.ts';
import { sha256After } from './sha256.ts';

/** The last entry of a run's chain. `seq` is 0 and `hash` is empty before the first. */
export interface LedgerHead {
  seq: number;
  hash: string;
}

export const NO_ENTRIES: LedgerHead = { seq: 0, hash: '' };

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
