import type { Json } from '../json.ts';
import type { WireEntry } from '../wire-entry.ts';

const KEPT = 2000;
const SECRET_KEYS = new Set(['token', 'authorization', 'x-slack-signature']);

/** The record of every request between the app and the workspace; the last 2,000 are kept. */
export type WireLog = {
  /** Stores an entry once it has ended, its secrets blanked. */
  add(entry: Omit<WireEntry, 'seq'>): WireEntry;
  after(seq: number): WireEntry[];
  subscribe(listener: (entry: WireEntry) => void): () => void;
};

export function createWireLog(): WireLog {
  const entries: WireEntry[] = [];
  const listeners = new Set<(entry: WireEntry) => void>();
  let seq = 0;
  return {
    add(entry) {
      seq += 1;
      const stored: WireEntry = { ...entry, seq, request: blanked(entry.request) };
      entries.push(stored);
      if (entries.length > KEPT) entries.shift();
      for (const listener of listeners) listener(stored);
      return stored;
    },
    after: (from) => entries.filter((entry) => entry.seq > from),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function blanked(value: Json): Json {
  if (Array.isArray(value)) return value.map(blanked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, SECRET_KEYS.has(key) ? '…' : blanked(held)]),
  );
}
