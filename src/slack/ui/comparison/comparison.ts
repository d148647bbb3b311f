// Two texts as one: what both have, what only one has, and what has changed within a line.
import { openFenceAfter } from '../text/markdown.ts';

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
