import { openFenceAfter } from '../../ui/text/markdown.ts';

/** A part of a changed line. */
export interface Piece {
  kind: 'kept' | 'removed' | 'added';
  text: string;
}

/** A line that both texts have, or only one of them; or one that stands in the other text with other words. */
export type ComparedLine = Piece | { kind: 'changed'; pieces: Piece[] };

/** `unseen`: the texts differ only in characters that nobody sees, such as spaces at the end of a line. */
export type Comparison = { kind: 'same' | 'unseen' | 'too-large' } | { kind: 'compared'; lines: ComparedLine[] };

/** A line as it stands in one of the texts, without what only the other has; null if it isn't in that text. */
export function lineWithout(line: ComparedLine, kind: 'removed' | 'added'): string | null {
  if (line.kind !== 'changed') return line.kind === kind ? null : line.text;
  return line.pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('');
}

/** A place in the older text and the one in the newer text that it corresponds to. */
export type Match = readonly [before: number, after: number];

/** The places around what lies between two matches; `to` is that of the next match, or the end of both texts. */
type Gap = readonly [from: Match, to: Match];

/** What lies between the matches, in order; one gap more than there are matches. */
export function gapsBetween(matches: readonly Match[], end: Match): Gap[] {
  let from: Match = [0, 0];
  return [...matches, end].map((to) => {
    const gap: Gap = [from, to];
    from = [to[0] + 1, to[1] + 1];
    return gap;
  });
}

/** How many values two lists have in common at their beginning, and how many of the others at their end. */
export function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { start, end };
}

/**
 * How much work one comparison may do beside what grows only with the texts, so that it never holds up the clicks of others.
 * It counts steps, not time: a comparison has the same result, and the same pages, whenever it is made.
 */
export interface Budget {
  /** Characters to read word by word. A million take about 150 ms. */
  characters: number;
  /** Words to look up, to tell how alike two lines are. A million take about 50 ms. */
  lookUps: number;
  /** Steps between the words of changed lines. A million take about 60 ms. */
  steps: number;
}

export function comparisonBudget(): Budget {
  return { characters: 400_000, lookUps: 400_000, steps: 400_000 };
}

/** Whether there was enough left; what has been asked for is spent even if not. */
export function spend(budget: Budget, what: keyof Budget, amount: number): boolean {
  budget[what] -= amount;
  return budget[what] >= 0;
}

/** How many characters two texts have in common at their beginning, and how many of the others at their end: whole words. */
export function commonText(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && !isSpace(before, start - 1)) start--;
  let end = 0;
  while (end < most - start && unitFromEnd(before, end) === unitFromEnd(after, end)) end++;
  while (end > 0 && !isSpace(before, before.length - end)) end--;
  return { start, end };
}

function unitFromEnd(text: string, place: number): number {
  return text.charCodeAt(text.length - 1 - place);
}

function isSpace(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit === 32 || unit === 9;
}

const TABLE_ROW = /^\s*\|/;

/** Which lines are code or rows of a table in the text that they stand in, so that their columns have to be kept. */
export function codeLines(lines: readonly ComparedLine[]): boolean[] {
  const before = fencedLines(lines.map((line) => lineWithout(line, 'added')));
  const after = fencedLines(lines.map((line) => lineWithout(line, 'removed')));
  return lines.map((line, i) => (before[i] || after[i] || isTableRow(line)) === true);
}

/** Which lines of one text are within a code block or are its marks. */
export function fencedLines(lines: readonly (string | null)[]): boolean[] {
  let open: ReturnType<typeof openFenceAfter> = null;
  return lines.map((line) => {
    if (line === null) return false;
    const before = open;
    open = openFenceAfter(line, before);
    return before !== null || open !== null;
  });
}

function isTableRow(line: ComparedLine): boolean {
  return line.kind === 'changed' ? TABLE_ROW.test(line.pieces[0]?.text ?? '') : TABLE_ROW.test(line.text);
}
