// Finds what changed between two rounds, once for all views that show it.
import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../../../core/ports.ts';
import { compareTexts } from './compare-texts.ts';
import type { Comparison } from './comparison.ts';
import { type Changes, changesBetween } from './text-changes.ts';

/** The difference of two texts, as a card says it. `layout`: only line breaks or marks of lines differ. */
export type Change = { kind: 'same' | 'unseen' | 'layout' | 'too-large' } | { kind: 'compared'; changes: Changes };

interface ComparedTexts {
  ref: string;
  before: string;
  after: string;
}

/** Resolves to the difference of two texts; null if one of them is no longer stored. */
export type FindChange = (texts: ComparedTexts) => Promise<Change | null>;

/** More than the number of cards that people still look at. */
const MOST_CHANGES = 1_000;

export function createFindChange(outputs: OutputStore): FindChange {
  const changes = new LRUCache<string, Change>({ max: MOST_CHANGES });
  return async (texts) => {
    const key = `${texts.before} ${texts.after}`;
    const change = changes.get(key) ?? (await changeBetween(outputs, texts));
    if (change) changes.set(key, change);
    return change;
  };
}

async function changeBetween(outputs: OutputStore, texts: ComparedTexts): Promise<Change | null> {
  if (texts.before === texts.after) return { kind: 'same' };
  const pair = await findTexts(outputs, texts);
  if (pair === null) return null;
  const changes = changesBetween(...pair);
  if (changes === null) return { kind: 'too-large' };
  if (changes.lines.length > 0) return { kind: 'compared', changes };
  return { kind: visibleComparison(...pair).kind === 'unseen' ? 'unseen' : 'layout' };
}

/** Compares two texts as people see them; null if one of them is no longer stored. */
export async function findComparison(outputs: OutputStore, texts: ComparedTexts): Promise<Comparison | null> {
  if (texts.before === texts.after) return { kind: 'same' };
  const pair = await findTexts(outputs, texts);
  return pair && visibleComparison(...pair);
}

async function findTexts(
  outputs: OutputStore,
  { ref, before, after }: ComparedTexts,
): Promise<[before: string, after: string] | null> {
  const [one, other] = await Promise.all([outputs.get(ref, before), outputs.get(ref, after)]);
  return one === null || other === null ? null : [one, other];
}

function visibleComparison(before: string, after: string): Comparison {
  const comparison = compareTexts(before, after);
  // Different secrets may have the same mask.
  return comparison.kind === 'same' ? { kind: 'unseen' } : comparison;
}
