import { openFenceAfter } from '../ui/text/code-fence.ts';
import { type ComparedLine, lineWithout } from './comparison.ts';

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
