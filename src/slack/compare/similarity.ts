import { saysSomething, wordsOf } from './words.ts';

/** How often a line has each of its words. */
interface WordCounts {
  of: ReadonlyMap<string, number>;
  total: number;
}

export function wordCounts(line: string): WordCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const word of wordsOf(line)) {
    if (!saysSomething(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total++;
  }
  return { of: counts, total };
}

/** From 0 for lines that have no word in common to 1 for the same words: the Sørensen–Dice coefficient. */
export function similarity(one: WordCounts, other: WordCounts): number {
  const [few, many] = one.of.size <= other.of.size ? [one, other] : [other, one];
  if (few.total === 0) return 0;
  let common = 0;
  for (const [word, count] of few.of) common += Math.min(count, many.of.get(word) ?? 0);
  return (2 * common) / (one.total + other.total);
}
