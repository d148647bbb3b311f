import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../../core/ports.ts';
import { type Mask, maskInSlices } from '../../core/values/secrets.ts';

const MOST_REMEMBERED = 10_000;

/**
 * Returns the texts of crews with masked secrets, as Slack shows them. Texts are masked as a whole, before anything is cut, and their hashes
 * stay those of the full texts. A text without secrets is scanned once.
 */
export function createMaskedOutputs(outputs: OutputStore, mask: Mask): OutputStore {
  if (mask === 'off') return outputs;
  const plain = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  return {
    ...outputs,
    async get(ref, hash) {
      const text = await outputs.get(ref, hash);
      if (text === null || plain.has(hash)) return text;
      const masked = await maskSlowly(text);
      if (masked === text) plain.set(hash, true);
      return masked;
    },
  };
}

/** Masks the secrets of a text in slices, between which other work is done. */
export async function maskSlowly(text: string): Promise<string> {
  const slices = maskInSlices(text);
  for (;;) {
    const step = slices.next();
    if (step.done) return step.value.text;
    await new Promise(setImmediate);
  }
}
