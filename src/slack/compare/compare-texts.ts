import { markdownSource } from '../ui/text/markdown-source.ts';
import { type Budget, comparisonBudget } from './budget.ts';
import { changedLine } from './changed-line.ts';
import type { ComparedLine, Comparison } from './comparison.ts';
import { equalLines } from './equal-lines.ts';
import { gapsBetween, type Match } from './match.ts';
import { similarLines } from './similar-lines.ts';

/** Of both texts together. Two texts of a megabyte each can be compared. */
const MOST_CHARACTERS = 2_200_000;
const MOST_LINES = 60_000;

/** Two texts as one, by lines, and by words within changed lines; always the same for the same texts. Takes at most some 150 ms. */
export function compareTexts(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  if (isTooLarge(before, after)) return { kind: 'too-large' };
  const [left, right] = [seenLines(before), seenLines(after)];
  const equal = equalLines(left, right);
  if (!equal) return { kind: 'too-large' };
  const lines = mergedLines(left, right, equal);
  return lines.every(({ kind }) => kind === 'kept') ? { kind: 'unseen' } : { kind: 'compared', lines };
}

function isTooLarge(...texts: string[]): boolean {
  return (
    texts.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS ||
    texts.reduce((sum, text) => sum + lineCount(text, MOST_LINES), 0) > MOST_LINES
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
  const lines = markdownSource(text)
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function mergedLines(before: readonly string[], after: readonly string[], equal: readonly Match[]): ComparedLine[] {
  const budget = comparisonBudget();
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

/** Nothing after the last gap. */
function matchedLine(before: string | undefined, after: string | undefined, budget: Budget): ComparedLine[] {
  if (before === undefined || after === undefined) return [];
  if (before === after) return [{ kind: 'kept', text: before }];
  return [{ kind: 'changed', pieces: changedLine(before, after, budget) }];
}
