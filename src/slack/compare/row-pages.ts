import { READABLE_LENGTH } from '../ui/limits.ts';
import type { Row } from './rows.ts';

/** Characters on a page, counting what formats them: well within what Slack takes in a view, and not too long to scroll. */
const PAGE_LENGTH = 6_000;
const FORMATTING = 10;

/** The rows in pages; `isCut` where there are more than people would read. There is one page at least. */
export function rowPages(rows: readonly Row[]): { pages: Row[][]; isCut: boolean } {
  const pages: Row[][] = [[]];
  let length = 0;
  let total = 0;
  for (const row of rows) {
    const own = rowLength(row);
    if (total + own > READABLE_LENGTH) return { pages, isCut: true };
    if (length > 0 && length + own > PAGE_LENGTH) {
      pages.push([]);
      length = 0;
    }
    pages.at(-1)?.push(row);
    length += own;
    total += own;
  }
  return { pages, isCut: false };
}

function rowLength(row: Row): number {
  if (row.kind === 'left-out') return FORMATTING;
  const texts = row.line.kind === 'changed' ? row.line.pieces : [row.line];
  return texts.reduce((sum, { text }) => sum + text.length + FORMATTING, FORMATTING);
}
