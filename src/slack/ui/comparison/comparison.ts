// Types of a comparison: what both texts have, what only one has, and what changed within a line.
import { openFenceAfter } from '../text/markdown.ts';

export interface Piece {
  kind: 'kept' | 'removed' | 'added';
  text: string;
}

export type ComparedLine = Piece | { kind: 'changed'; pieces: Piece[] };

/** `unseen`: the texts differ only in characters that nobody sees, such as spaces at the end of a line. */
export type Comparison = { kind: 'same' | 'unseen' | 'too-large' } | { kind: 'compared'; lines: ComparedLine[] };

/** Returns a line without the words that only the other text has; null if the line isn't in that text. */
export function lineWithout(line: ComparedLine, kind: 'removed' | 'added'): string | null {
  if (line.kind !== 'changed') return line.kind === kind ? null : line.text;
  return line.pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('');
}

/** Tells for each line of a text whether it is in a code block or one of its marks. */
export function fencedLines(lines: readonly (string | null)[]): boolean[] {
  let open: ReturnType<typeof openFenceAfter> = null;
  return lines.map((line) => {
    if (line === null) return false;
    const before = open;
    open = openFenceAfter(line, before);
    return before !== null || open !== null;
  });
}
