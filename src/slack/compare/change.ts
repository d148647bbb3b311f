import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../../core/ports.ts';
import { compareTexts } from './compare-texts.ts';
import type { Comparison } from './comparison.ts';
import { type Summary, summaryOf } from './summary.ts';

/** What became of a text, as far as a card says it. */
export type Change = Exclude<Comparison, { kind: 'compared' }> | { kind: 'compared'; summary: Summary };

/** The hashes of two texts of one execution. */
interface ComparedTexts {
  ref: string;
  before: string;
  after: string;
}

/** What became of one text in the other; null if one of them is no longer stored. */
export type FindChange = (texts: ComparedTexts) => Promise<Change | null>;

/** Cards that people still look at, many times over. */
const MOST_CHANGES = 1_000;

/** Compares two texts once: a card is rendered again with each vote. */
export function createFindChange(outputs: OutputStore): FindChange {
  const known = new LRUCache<string, Change>({ max: MOST_CHANGES });
  return async ({ ref, before, after }) => {
    if (before === after) return { kind: 'same' };
    const key = `${before} ${after}`;
    const found = known.get(key);
    if (found) return found;
    const [one, other] = await Promise.all([outputs.get(ref, before), outputs.get(ref, after)]);
    if (one === null || other === null) return null;
    const change = changeOf(compareTexts(one, other));
    known.set(key, change);
    return change;
  };
}

function changeOf(comparison: Comparison): Change {
  return comparison.kind === 'compared' ? { kind: 'compared', summary: summaryOf(comparison.lines) } : comparison;
}
