// What changed between two rounds, found once for all that show it.
import { LRUCache } from 'lru-cache';
import type { OutputStore } from '../../../core/ports.ts';
import { compareTexts } from './compare-texts.ts';
import type { Comparison } from './comparison.ts';
import { type Changes, changesBetween } from './text-changes.ts';

/** What became of a text, as far as a card says it. `layout`: only where its lines begin and end, or how they are marked. */
export type Change = { kind: 'same' | 'unseen' | 'layout' | 'too-large' } | { kind: 'compared'; changes: Changes };

/** The hashes of two texts of one execution. */
interface ComparedTexts {
  ref: string;
  before: string;
  after: string;
}

/** What became of one text in the other; null if one of them is no longer stored. */
export type FindChange = (texts: ComparedTexts) => Promise<Change | null>;

/** More than there are cards that people still look at. */
const MOST_CHANGES = 1_000;

/** Compares two texts once: a card is rendered again with each vote. */
export function createFindChange(outputs: OutputStore): FindChange {
  const known = new LRUCache<string, Change>({ max: MOST_CHANGES });
  return async (texts) => {
    const key = `${texts.before} ${texts.after}`;
    const change = known.get(key) ?? (await whatChanged(outputs, texts));
    if (change) known.set(key, change);
    return change;
  };
}

async function whatChanged(outputs: OutputStore, texts: ComparedTexts): Promise<Change | null> {
  if (texts.before === texts.after) return { kind: 'same' };
  const found = await findTexts(outputs, texts);
  if (found === null) return null;
  const changes = changesBetween(...found);
  if (changes === null) return { kind: 'too-large' };
  if (changes.lines.length > 0) return { kind: 'compared', changes };
  return { kind: seenComparison(...found).kind === 'unseen' ? 'unseen' : 'layout' };
}

/** Two texts as people see them, as one; null if one of them is no longer stored. */
export async function findComparison(outputs: OutputStore, texts: ComparedTexts): Promise<Comparison | null> {
  if (texts.before === texts.after) return { kind: 'same' };
  const found = await findTexts(outputs, texts);
  return found && seenComparison(...found);
}

async function findTexts(
  outputs: OutputStore,
  { ref, before, after }: ComparedTexts,
): Promise<[before: string, after: string] | null> {
  const [one, other] = await Promise.all([outputs.get(ref, before), outputs.get(ref, after)]);
  return one === null || other === null ? null : [one, other];
}

function seenComparison(before: string, after: string): Comparison {
  const found = compareTexts(before, after);
  // Secrets that differ may have the same mark.
  return found.kind === 'same' ? { kind: 'unseen' } : found;
}
