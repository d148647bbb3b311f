// Compares two texts line by line, and word by word within changed lines.
import { diffArrays } from 'diff';
import { markdownSource, readableText } from '../text/markdown.ts';
import { type Budget, changedLine, commonText, saysSomething, spend, wordsOf } from './changed-line.ts';
import type { ComparedLine, Comparison } from './comparison.ts';

/** The most characters of both texts together. Two texts of a megabyte each can be compared. */
const MOST_CHARACTERS = 2_200_000;
const MOST_LINES = 60_000;

/** Compares two texts by lines, and by words within changed lines. Equal texts give equal results. Takes about 150 ms at most. */
export function compareTexts(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  if (isTooLarge(before, after)) return { kind: 'too-large' };
  const lines = compareLines(seenLines(before), seenLines(after));
  if (!lines) return { kind: 'too-large' };
  return lines.every(({ kind }) => kind === 'kept') ? { kind: 'unseen' } : { kind: 'compared', lines };
}

export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] | null {
  const equal = equalLines(before, after);
  return equal && mergedLines(before, after, equal);
}

/** Returns true if two texts together are too long to be compared. */
export function isTooLarge(before: string, after: string): boolean {
  return (
    before.length + after.length > MOST_CHARACTERS ||
    lineCount(before, MOST_LINES) + lineCount(after, MOST_LINES) > MOST_LINES
  );
}

/** Returns the number of lines, or `most` + 1 if there are more. A text may have a million lines, so it isn't split. */
function lineCount(text: string, most: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && count <= most; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Returns the lines of a text as it is shown: without spaces at their ends, and JSON as code. */
export function seenLines(text: string): string[] {
  const lines = markdownSource(readableText(text))
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function mergedLines(before: readonly string[], after: readonly string[], equal: readonly Match[]): ComparedLine[] {
  const budget: Budget = { characters: 400_000, lookUps: 400_000, steps: 400_000 };
  const lengths: Match = [before.length, after.length];
  const similar = gapsBetween(equal, lengths).flatMap(([from, to]) =>
    similarLines(before.slice(from[0], to[0]), after.slice(from[1], to[1]), budget).map(
      ([b, a]): Match => [b + from[0], a + from[1]],
    ),
  );
  const matches = [...equal, ...similar].sort(([one], [other]) => one - other);
  return gapsBetween(matches, lengths).flatMap(([from, to]) => [
    ...before.slice(from[0], to[0]).map((text): ComparedLine => ({ kind: 'removed', text })),
    ...after.slice(from[1], to[1]).map((text): ComparedLine => ({ kind: 'added', text })),
    ...matchedLine(before[to[0]], after[to[1]], budget),
  ]);
}

/** Returns the line after a gap; none follows the last gap. */
function matchedLine(before: string | undefined, after: string | undefined, budget: Budget): ComparedLine[] {
  if (before === undefined || after === undefined) return [];
  if (before === after) return [{ kind: 'kept', text: before }];
  return [{ kind: 'changed', pieces: changedLine(before, after, budget) }];
}

/** The time grows with the square of this number: so many lines that both texts have at other places take about 70 ms. */
const MOST_EDITS = 1_000;
const TIMEOUT_MS = 150;

/**
 * Finds the lines that are the same in both texts, as many as possible in their order. Null if that takes too long. Empty lines match only
 * at both ends of the texts: elsewhere, one is easily taken for another.
 */
function equalLines(before: readonly string[], after: readonly string[]): Match[] | null {
  const { start, end } = commonEnds(before, after);
  const inner = innerMatches(before.slice(start, before.length - end), after.slice(start, after.length - end));
  if (!inner) return null;
  const first = Array.from({ length: start }, (_, i): Match => [i, i]);
  const last = Array.from({ length: end }, (_, i): Match => [before.length - end + i, after.length - end + i]);
  return [...first, ...inner.map(([b, a]): Match => [b + start, a + start]), ...last];
}

/** Matches lines that both texts have; no other line can match. */
function innerMatches(before: readonly string[], after: readonly string[]): Match[] | null {
  const left = sharedPlaces(before, new Set(after));
  const right = sharedPlaces(after, new Set(before));
  const changes = diffArrays(linesAt(before, left), linesAt(after, right), {
    maxEditLength: MOST_EDITS,
    timeout: TIMEOUT_MS,
  });
  if (!changes) return null;
  const matches: Match[] = [];
  let l = 0;
  let r = 0;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let i = 0; i < count; i++) matches.push([left[l + i] ?? 0, right[r + i] ?? 0]);
    if (!added) l += count;
    if (!removed) r += count;
  }
  return matches;
}

function sharedPlaces(lines: readonly string[], others: ReadonlySet<string>): number[] {
  return lines.flatMap((line, i) => (line !== '' && others.has(line) ? [i] : []));
}

function linesAt(lines: readonly string[], places: readonly number[]): string[] {
  return places.map((place) => lines[place] ?? '');
}

/** Lines that are less similar seldom are about the same thing. */
const LEAST_SIMILARITY = 0.45;
/** The score of two empty lines, which match if nothing else does. */
const EMPTY_LINES = 0.05;

/**
 * Matches lines of the two texts that differ in some words, as similar and as many as possible in their order. If there are too many to
 * compare each with each, compares only the beginnings and ends of lines at the same place.
 */
function similarLines(before: readonly string[], after: readonly string[], budget: Budget): Match[] {
  if (before.length === 0 || after.length === 0) return [];
  const isAffordable =
    spend(budget, 'characters', totalLength(before) + totalLength(after)) &&
    // An estimate: words have about five letters.
    spend(budget, 'lookUps', (before.length * totalLength(after)) / 5);
  return isAffordable ? bestMatches(before, after) : matchesAtSamePlace(before, after);
}

function totalLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, lines.length);
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

/** Fills a table with the best score from each pair of lines to the ends, as for a longest common subsequence, and follows it. */
function bestMatches(before: readonly string[], after: readonly string[]): Match[] {
  const alike = createSimilarity(before, after);
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

function createSimilarity(
  before: readonly string[],
  after: readonly string[],
): (before: number, after: number) => number {
  const left = before.map(wordCounts);
  const right = after.map(wordCounts);
  return (b, a) => {
    const [one, other] = [left[b], right[a]];
    if (!one || !other) return 0;
    if (before[b] === '' || after[a] === '') return before[b] === after[a] ? EMPTY_LINES : 0;
    const score = similarity(one, other);
    return score >= LEAST_SIMILARITY ? score : 0;
  };
}

interface WordCounts {
  of: ReadonlyMap<string, number>;
  total: number;
}

function wordCounts(line: string): WordCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const word of wordsOf(line)) {
    if (!saysSomething(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total++;
  }
  return { of: counts, total };
}

/** Returns the Sørensen–Dice coefficient: 0 for lines without a common word, 1 for the same words. */
function similarity(one: WordCounts, other: WordCounts): number {
  const [few, many] = one.of.size <= other.of.size ? [one, other] : [other, one];
  if (few.total === 0) return 0;
  let common = 0;
  for (const [word, count] of few.of) common += Math.min(count, many.of.get(word) ?? 0);
  return (2 * common) / (one.total + other.total);
}

/** A place in the older text, and the place in the newer text that corresponds to it. */
type Match = readonly [before: number, after: number];

/** The lines between two matches. `to` is the place of the next match, or the end of both texts. */
type Gap = readonly [from: Match, to: Match];

/** Returns the gaps before, between and after the matches. */
function gapsBetween(matches: readonly Match[], end: Match): Gap[] {
  let from: Match = [0, 0];
  return [...matches, end].map((to) => {
    const gap: Gap = [from, to];
    from = [to[0] + 1, to[1] + 1];
    return gap;
  });
}

function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end };
}
