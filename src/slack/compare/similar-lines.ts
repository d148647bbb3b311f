import { type Budget, spend } from './budget.ts';
import { commonText } from './common-text.ts';
import type { Match } from './match.ts';
import { similarity, wordCounts } from './similarity.ts';

/** Below this, the words that two lines have in common are seldom what they are about. */
const LEAST_SIMILARITY = 0.45;
/** Empty lines correspond, too, where nothing else does. */
const EMPTY_LINES = 0.05;

/**
 * Which lines of the older text stand in the newer one with other words, where none are the same: as alike as possible, in
 * their order. Where there are too many to compare each with each, only those at the same place are compared, by their ends.
 */
export function similarLines(before: readonly string[], after: readonly string[], budget: Budget): Match[] {
  if (before.length === 0 || after.length === 0) return [];
  const isAffordable =
    spend(budget, 'characters', totalLength(before) + totalLength(after)) &&
    spend(budget, 'lookUps', before.length * totalWords(after));
  return isAffordable ? bestMatches(before, after) : matchesAtSamePlace(before, after);
}

function totalLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, lines.length);
}

/** Nearly: words have five letters or so. */
function totalWords(lines: readonly string[]): number {
  return totalLength(lines) / 5;
}

function matchesAtSamePlace(before: readonly string[], after: readonly string[]): Match[] {
  const places = Array.from({ length: Math.min(before.length, after.length) }, (_, i): Match => [i, i]);
  return places.filter(([place]) => haveCommonEnds(before[place] ?? '', after[place] ?? ''));
}

function haveCommonEnds(before: string, after: string): boolean {
  if (before === '' || after === '') return before === after;
  const { start, end } = commonText(before, after);
  return 2 * (start + end) >= LEAST_SIMILARITY * (before.length + after.length);
}

/** As for a longest common subsequence, from the ends of both. */
function bestMatches(before: readonly string[], after: readonly string[]): Match[] {
  const alike = howAlike(before, after);
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const at = (b: number, a: number) => best[b * width + a] ?? 0;
  const scores = new Float64Array(before.length * after.length);
  for (let b = before.length - 1; b >= 0; b--)
    for (let a = after.length - 1; a >= 0; a--) {
      const score = alike(b, a);
      scores[b * after.length + a] = score;
      const matched = score > 0 ? score + at(b + 1, a + 1) : 0;
      best[b * width + a] = Math.max(at(b + 1, a), at(b, a + 1), matched);
    }
  const matches: Match[] = [];
  for (let b = 0, a = 0; b < before.length && a < after.length; ) {
    const score = scores[b * after.length + a] ?? 0;
    if (score > 0 && at(b, a) === score + at(b + 1, a + 1)) matches.push([b++, a++]);
    else if (at(b, a) === at(b + 1, a)) b++;
    else a++;
  }
  return matches;
}

function howAlike(before: readonly string[], after: readonly string[]): (before: number, after: number) => number {
  const left = before.map(wordCounts);
  const right = after.map(wordCounts);
  return (b, a) => {
    const [one, other] = [left[b], right[a]];
    if (!one || !other) return 0;
    if (before[b] === '' || after[a] === '') return before[b] === after[a] ? EMPTY_LINES : 0;
    const found = similarity(one, other);
    return found >= LEAST_SIMILARITY ? found : 0;
  };
}
