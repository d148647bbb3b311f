// Lays out the tables of a comparison: in columns, or, if they are too wide for a phone, as lines of label and value.
import { columnsOf } from '../text/columns.ts';
import { isTableRule, tableCells } from '../text/table-row.ts';
import { type ComparedLine, lineWithout, type Piece } from './comparison.ts';

export interface TableRow {
  cells: readonly string[];
  /** The cells of the first row of the table; empty if the table has no header. */
  header: readonly string[];
}

const ROW = /^\s*\|/;

export function isTableRow(line: string): boolean {
  return ROW.test(line);
}

/** Returns true for the line below a header. Tables within lists are indented. */
export function isRule(line: string): boolean {
  return isTableRule(line.trimStart());
}

/** A line of a comparison, laid out. `isCode` keeps its columns. */
export interface LaidOutLine {
  line: ComparedLine;
  isCode: boolean;
}

/** The number of columns in a code block on a phone. */
const WIDEST = 40;
const GAP = '  ';

/** Lays out the lines of one table, whose rows may be in one text or in both. */
export function laidOutTable(lines: readonly ComparedLine[]): LaidOutLine[] {
  const rows = lines.flatMap(sidesOf);
  const widths = widthsOf(rows.filter(({ line }) => !isRule(line)).map(({ line }) => tableCells(line)));
  const width = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  return width <= WIDEST ? inColumns(rows, widths) : asValues(lines);
}

interface Side {
  kind: 'kept' | 'removed' | 'added';
  line: string;
}

function sidesOf(line: ComparedLine): Side[] {
  if (line.kind !== 'changed') return [{ kind: line.kind, line: line.text }];
  const [before, after] = [lineWithout(line, 'added') ?? '', lineWithout(line, 'removed') ?? ''];
  if (isRule(after)) return [{ kind: 'kept', line: after }];
  return [
    { kind: 'removed', line: before },
    { kind: 'added', line: after },
  ];
}

function widthsOf(rows: readonly string[][]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 1, columnsOf(cell));
  return widths;
}

function inColumns(rows: readonly Side[], widths: readonly number[]): LaidOutLine[] {
  return rows.map(({ kind, line }) => {
    const text = isRule(line)
      ? widths.map((width) => '-'.repeat(width)).join(GAP)
      : tableCells(line)
          .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell))))
          .join(GAP)
          .trimEnd();
    return { line: { kind, text }, isCode: true };
  });
}

/** Returns a line for each changed cell, and for each cell of a row that was removed or added. Other rows show their first cell. */
function asValues(lines: readonly ComparedLine[]): LaidOutLine[] {
  const headers = headersOf(lines);
  const laidOut = lines.flatMap((line): ComparedLine[] => {
    if (line.kind !== 'changed')
      return isRule(line.text) ? [] : valuesOf(line, headers[line.kind === 'removed' ? 0 : 1]);
    const [before, after] = [lineWithout(line, 'added') ?? '', lineWithout(line, 'removed') ?? ''];
    return isRule(after) ? [] : changedValues([tableCells(before), tableCells(after)], headers);
  });
  return laidOut.map((line) => ({ line, isCode: false }));
}

type Headers = readonly [before: readonly string[], after: readonly string[]];

/** Returns the header of each text's table, without names if it has none. */
function headersOf(lines: readonly ComparedLine[]): Headers {
  const headerOf = (without: 'removed' | 'added') => {
    const [first = '', second = ''] = lines.flatMap((line) => lineWithout(line, without) ?? []);
    return isRule(second) ? tableCells(first) : [];
  };
  return [headerOf('added'), headerOf('removed')];
}

function valuesOf({ kind, text }: { kind: Side['kind']; text: string }, header: readonly string[]): ComparedLine[] {
  const cells = tableCells(text);
  if (kind !== 'kept') return cells.map((cell, column) => ({ kind, text: `${labelOf(header, column)}${cell}` }));
  const isHeader = cells.every((cell, column) => cell === header[column]);
  return isHeader ? [] : [{ kind, text: `${labelOf(header, 0)}${cells[0] ?? ''} …` }];
}

function changedValues([before, after]: readonly [string[], string[]], [old, header]: Headers): ComparedLine[] {
  const columns = Array.from({ length: Math.max(before.length, after.length) }, (_, column) => column);
  return columns.flatMap((column): ComparedLine[] => {
    const label = labelOf(header, column) || labelOf(old, column);
    const [one = '', other = ''] = [before[column], after[column]];
    if (one === other) return column === 0 ? [{ kind: 'kept', text: `${label}${one}` }] : [];
    const pieces: Piece[] = [
      { kind: 'kept', text: label },
      { kind: 'removed', text: one },
      { kind: 'added', text: other },
    ];
    return [{ kind: 'changed', pieces: pieces.filter(({ text }) => text !== '') }];
  });
}

function labelOf(header: readonly string[], column: number): string {
  const name = header[column] ?? '';
  return name === '' ? '' : `${name}: `;
}
