// Shortens Markdown for a card: leaves out unchanged lines of diffs and ticked boxes, and turns wide tables into lists.
import { type CodeFence, fenceAfterLine } from './text/markdown.ts';
import type { Piece } from './text/pieces.ts';
import { isTableRule, tableCells } from './text/table-row.ts';

interface Condensed {
  markdown: string;
  /** The pieces that were left out, to be counted. */
  left: Pick<Piece, 'kind'>[];
}

/** Leaves out the unchanged lines of diffs, and the ticked boxes of a list that has open ones. */
export function condensed(markdown: string): Condensed {
  const hasOpenBox = OPEN_BOX.test(markdown);
  const left: Condensed['left'] = [];
  const leaveOut = (kind: Piece['kind']) => {
    left.push({ kind });
    return false;
  };
  let fence: CodeFence | null = null;
  let isTicked = false;
  const lines = markdown.split('\n');
  const rest = lines.filter((line, i) => {
    const before = fence;
    fence = fenceAfterLine(line, before);
    const isInside = before !== null && fence !== null;
    if (isInside) return !DIFF.test(before.opening) || isChange(line, lines[i + 1] ?? '') || leaveOut('line');
    // An item goes on in lines that are indented.
    isTicked = hasOpenBox && fence === null && (TICKED_BOX.test(line) || (isTicked && /^\s+[^\s\-*+\d]/.test(line)));
    return !isTicked || !TICKED_BOX.test(line) ? !isTicked : leaveOut('item');
  });
  return { markdown: rest.join('\n'), left };
}

/** Matches within one line: from each of many empty lines, `\s*` would scan all that follow. */
const OPEN_BOX = /^[ \t]*[-*+] \[ \] /m;
const TICKED_BOX = /^\s*[-*+] \[[xX]\] /;
const DIFF = /^[`~]+(?:diff|patch)\b/i;

/** Returns true for a removed or added line, and for the name of the file above. */
function isChange(line: string, next: string): boolean {
  if (line.startsWith('--- ') && next.startsWith('+++ ')) return next.startsWith('+++ /dev/null');
  return /^[-+]/.test(line);
}

/** The widest table, in columns, of which a card cuts off nothing. */
const WIDEST_TABLE = 80;

/** Turns tables whose last columns would be cut off into lists, with an item for each row. */
export function withoutWideTables(markdown: string): string {
  if (!markdown.includes('|')) return markdown;
  const lines = markdown.split('\n');
  const result: string[] = [];
  let fence: CodeFence | null = null;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? '';
    fence = fenceAfterLine(line, fence);
    const isTable = fence === null && line.includes('|') && isTableRule(lines[i + 1] ?? '');
    const rows = lines.slice(i, isTable ? endOfTable(lines, i + 2) : i + 1);
    const isWide = isTable && widthOf(rows) > WIDEST_TABLE;
    const [head = '', , ...others] = rows;
    for (const row of isWide ? [head, ...others].map((each) => pointOf(tableCells(each))) : rows) result.push(row);
    i += rows.length;
  }
  return result.join('\n');
}

function endOfTable(lines: readonly string[], from: number): number {
  let end = from;
  while (lines[end]?.includes('|') && fenceAfterLine(lines[end] ?? '', null) === null) end += 1;
  return end;
}

function widthOf(rows: readonly string[]): number {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of tableCells(row).entries())
      if (!/^:?-+:?$/.test(cell)) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return widths.reduce((sum, width) => sum + width + 3, 0);
}

function pointOf(cells: readonly string[]): string {
  return `- ${cells.join(' · ')}`;
}
