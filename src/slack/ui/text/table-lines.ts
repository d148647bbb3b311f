import type { Tokens } from 'marked';
import { plainOf } from './rich-text-inline.ts';

/** A wider cell pushes what follows it to the right instead of making the whole column wide. */
const WIDEST_COLUMN = 30;

/** A table as lines of text whose columns stand below each other. */
export function tableLines({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((row) => row.map(({ tokens }) => plainOf(tokens).replace(/\s+/g, ' ')));
  const widths = header.map((_, column) =>
    Math.min(WIDEST_COLUMN, Math.max(...lines.map((line) => (line[column] ?? '').length))),
  );
  const shown = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(Math.max(1, width))).join('  ');
  return [shown[0], rule, ...shown.slice(1)].join('\n');
}
