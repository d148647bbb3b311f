import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../core/ports.ts';

const MOST_CHARACTERS = 4 * 1_048_576;
/** Longer ones are shown as files, which are posted once. */
const LONGEST = 16_384;

/**
 * The same store, which keeps the outputs that were stored or read last: a card is rendered from its output when it is posted
 * and when it is decided. Only for messages: people may read what is stored at that moment, and nothing else.
 */
export function createRecentOutputs(outputs: OutputStore): OutputStore {
  const recent = new LRUCache<string, string>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const keep = (ref: string, hash: string, text: string) => {
    if (text.length <= LONGEST) recent.set(keyOf(ref, hash), text);
  };
  return {
    async put(ref, text) {
      const output = await outputs.put(ref, text);
      if (text.isWellFormed()) keep(ref, output.hash, text);
      return output;
    },

    async get(ref, hash) {
      const known = recent.get(keyOf(ref, hash));
      if (known !== undefined) return known;
      const text = await outputs.get(ref, hash);
      if (text !== null) keep(ref, hash, text);
      return text;
    },
  };
}

/** An output belongs to its execution, even where another one has the same. */
function keyOf(ref: string, hash: string): string {
  return createHash('sha256').update(`${ref} ${hash}`).digest('base64url');
}
