// Compares two texts line by line, and word by word within changed lines.
import { diffArrays } from 'diff';
import { markdownSource, readableText } from '../text/markdown.ts';
import { type Budget, changedLine, commonText, saysSomething, spend, wordsOf } from './changed-line.ts';
import type { ComparedLine, Comparison } from './comparison.ts';

/** Of both texts together. Two texts of a megabyte each can be compared. */
const MOST_CHARACTERS = 2_200_000;
const MOST_LINES = 60_000;

/** Two texts as one, by lines, and by words within changed lines; always the same for the same texts. Takes at most some 150 ms. */
export function compareTexts(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  if (isTooLarge(before, after)) return { kind: 'too-large' };
  const lines = compareLines(seenLines(before), seenLines(after));
  if (!lines) return { kind: 'too-large' };
  return lines.every(({ kind }) => kind === 'kept') ? { kind: 'unseen' } : { kind: 'compared', lines };
}

/** Two lists of lines as one; null if comparing them takes too long. */
export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] | null {
  const equal = equalLines(before, after);
  return equal && mergedLines(before, after, equal);
}

/** Whether two texts together are longer than anybody would compare them. */
export function isTooLarge(before: string, after: string): boolean {
  return (
    before.length + after.length > MOST_CHARACTERS ||
    lineCount(before, MOST_LINES) + lineCount(after, MOST_LINES) > MOST_LINES
  );
}

/** At most one more than `most`, without splitting what may have a million lines. */
function lineCount(text: string, most: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && count <= most; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** A text as it is shown, without the spaces at the ends of its lines, and JSON as code. */
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

/** The line that follows a gap; none follows the last. */
function matchedLine(before: string | undefined, after: string | undefined, budget: Budget): ComparedLine[] {
  if (before === undefined || after === undefined) return [];
  if (before === after) return [{ kind: 'kept', text: before }];
  return [{ kind: 'changed', pieces: changedLine(before, after, budget) }];
}

/** The time grows with its square: this many lines that both texts have, but at other places, take about 70 ms. */
const MOST_EDITS = 1_000;
/** For a machine on which even that takes long. */
const TIMEOUT_MS = 150;

/**
 * Which lines of the older text are the same in the newer one, as many as possible in their order; null if that takes too long.
 * Empty lines are matched only at both ends: one is easily taken for another.
 */
function equalLines(before: readonly string[], after: readonly string[]): Match[] | null {
  const { start, end } = commonEnds(before, after);
  const inner = innerMatches(before.slice(start, before.length - end), after.slice(start, after.length - end));
  if (!inner) return null;
  const first = Array.from({ length: start }, (_, i): Match => [i, i]);
  const last = Array.from({ length: end }, (_, i): Match => [before.length - end + i, after.length - end + i]);
  return [...first, ...inner.map(([b, a]): Match => [b + start, a + start]), ...last];
}

/** Only lines that both texts have are compared: others can't match. */
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

/** Less similar lines seldom have in common what they are about. */
const LEAST_SIMILARITY = 0.45;
/** Empty lines also correspond, where nothing else does. */
const EMPTY_LINES = 0.05;

/**
 * Which lines of the older text stand in the newer one with other words, where none are the same: as alike as possible, in
 * their order. Where there are too many to compare each with each, only those at the same place are compared, by their ends.
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

/** The best score from each pair of places to the ends, as for a longest common subsequence; then the way that has it. */
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

/** From 0 for lines that have no word in common to 1 for the same words: the Sørensen–Dice coefficient. */
function similarity(one: WordCounts, other: WordCounts): number {
  const [few, many] = one.of.size <= other.of.size ? [one, other] : [other, one];
  if (few.total === 0) return 0;
  let common = 0;
  for (const [word, count] of few.of) common += Math.min(count, many.of.get(word) ?? 0);
  return (2 * common) / (one.total + other.total);
}

/** A place in the older text and the one in the newer text that it corresponds to. */
type Match = readonly [before: number, after: number];

/** What lies between two matches; `to` is the place of the next match, or the end of both texts. */
type Gap = readonly [from: Match, to: Match];

/** What lies between the matches, in order; one gap more than there are matches. */
function gapsBetween(matches: readonly Match[], end: Match): Gap[] {
  let from: Match = [0, 0];
  return [...matches, end].map((to) => {
    const gap: Gap = [from, to];
    from = [to[0] + 1, to[1] + 1];
    return gap;
  });
}

/** How many values two lists have in common at their beginning, and how many of the others at their end. */
function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end };
}
