import type { Json } from '../json.ts';
import type { WireEntry } from '../wire-entry.ts';

const KEPT = 2000;
const SECRET_KEYS = new Set(['token', 'bot_access_token', 'secret', 'authorization', 'x-slack-signature']);

/** The last 2,000 requests between the app and the workspace. */
export type WireLog = {
  /** Stores a finished request, with secrets redacted. */
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
      const stored: WireEntry = { ...entry, seq, request: redacted(entry.request) };
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

function redacted(value: Json): Json {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, SECRET_KEYS.has(key) ? '…' : redacted(field)]),
  );
}
