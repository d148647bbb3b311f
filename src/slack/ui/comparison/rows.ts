// Renders a comparison as people read it: rows in pages, without the lines far from any change.
import type { RichTextBlock, RichTextElement } from '@slack/types';
import type { Token } from 'marked';
import { characterEnd } from '../../../core/values/cut.ts';
import { READABLE_LENGTH } from '../limits.ts';
import { inlineElements, MOST_BYTES } from '../rich-text.ts';
import { parseLine } from '../text/markdown.ts';
import { type Style, styledPiece, textOf, textsOf } from './change-lines.ts';
import { type ComparedLine, fencedLines, lineWithout, type Piece } from './comparison.ts';
import { isTableRow, type LaidOutLine, laidOutTable } from './tables.ts';

type Element = RichTextBlock['elements'][number];

const MARKS = { kept: '\u2003', removed: '− ', added: '+ ' } as const;
const CODE_MARKS = { kept: '  ', removed: '− ', added: '+ ' } as const;

/** Styles of words within a changed line. Whole lines have marks instead. */
const STYLES: Record<Piece['kind'], Style | undefined> = {
  kept: undefined,
  removed: { strike: true },
  added: { bold: true },
};

/**
 * Renders rows as rich text, in which Slack parses nothing; links show their addresses. Removed and added lines begin with a mark. Within
 * a changed line, removed words are struck through and added words are bold, and marks of Markdown stay as they are written.
 */
export function shownRows(rows: readonly Row[], leftOut: (count: number) => string): RichTextBlock {
  const block = blockOf(rows, leftOut, lineElements);
  const isTooLarge = Buffer.byteLength(JSON.stringify(block)) > MOST_BYTES;
  return isTooLarge ? blockOf(rows, leftOut, asWritten) : block;
}

type Rendering = (line: Piece) => RichTextElement[];

function blockOf(rows: readonly Row[], leftOut: (count: number) => string, rendering: Rendering): RichTextBlock {
  const elements: Element[] = [];
  let code: string[] = [];
  const closeCode = () => {
    if (code.length > 0) elements.push({ type: 'rich_text_preformatted', elements: [textOf(code.join('\n'))] });
    code = [];
  };
  for (const row of rows) {
    if (row.kind === 'line' && row.isCode) code.push(...codeTexts(row));
    else {
      closeCode();
      elements.push({ type: 'rich_text_section', elements: inlineTexts(row, leftOut, rendering) });
    }
  }
  closeCode();
  return { type: 'rich_text', elements };
}

function inlineTexts(row: Row, leftOut: (count: number) => string, rendering: Rendering): RichTextElement[] {
  if (row.kind === 'left-out') return [textOf(leftOut(row.count), { italic: true })];
  const { line, isMarked } = row;
  const mark = textOf(isMarked && line.kind !== 'changed' ? MARKS[line.kind] : MARKS.kept);
  if (line.kind !== 'changed') return [mark, ...rendering(line)];
  const pieces = line.pieces.map((piece, i) => (i === 0 && piece.kind === 'kept' ? withBullet(piece) : piece));
  return [
    mark,
    ...pieces.flatMap((piece, i) => [...space(pieces[i - 1], piece), ...styledPiece(piece, STYLES[piece.kind])]),
  ];
}

function asWritten({ text }: Piece): RichTextElement[] {
  return textsOf(text);
}

const HEADING = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const ITEM = /^([ \t]*)[-*+][ \t]+/;
/** Code by its indent, or the continuation of an item of a list. */
const INDENTED = /^(?: {4}|\t)/;

/** Gives the item of a list the same bullet as in a line that is rendered whole. */
function withBullet({ kind, text }: Piece): Piece {
  return { kind, text: text.replace(ITEM, '$1• ') };
}

/** Renders a line of Markdown with every word of it. Struck text keeps its marks: the style would say that it was removed. */
function lineElements({ text }: Piece): RichTextElement[] {
  const [heading] = HEADING.exec(text) ?? [];
  if (heading !== undefined) return inlineElements(parseTokens(text.slice(heading.length)), { bold: true });
  const [item, indent = ''] = ITEM.exec(text) ?? [];
  if (item !== undefined) return [...textsOf(`${indent}• `), ...inlineElements(parseTokens(text.slice(item.length)))];
  return INDENTED.test(text) ? textsOf(text) : inlineElements(parseTokens(text));
}

function parseTokens(text: string): Token[] {
  try {
    return withMarks(parseLine(text));
  } catch {
    // Text that is nested thousands of levels deep overflows the parser's stack.
    return [{ type: 'text', raw: text, text }];
  }
}

/** Replaces the style of struck text by its marks. */
function withMarks(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token): Token[] => {
    if (!('tokens' in token) || !token.tokens) return [token];
    const inner = withMarks(token.tokens);
    if (token.type !== 'del') return [{ ...token, tokens: inner }];
    const [marks = ''] = /^~{1,2}/.exec(token.raw) ?? [];
    const mark: Token = { type: 'text', raw: marks, text: marks };
    return [mark, ...inner, mark];
  });
}

/** Returns the space between a word and what replaces it. */
function space(before: Piece | undefined, { kind, text }: Piece): RichTextElement[] {
  const isBetween = before?.kind === 'removed' && kind === 'added';
  return isBetween && !/\s$/.test(before.text) && !/^\s/.test(text) ? [textOf(' ')] : [];
}

function codeTexts({ line, isMarked }: LineRow): string[] {
  if (line.kind !== 'changed') return [`${CODE_MARKS[isMarked ? line.kind : 'kept']}${line.text}`];
  const [before, after] = [lineWithout(line, 'added'), lineWithout(line, 'removed')];
  const marks = isMarked ? CODE_MARKS : { removed: CODE_MARKS.kept, added: CODE_MARKS.kept };
  return [`${marks.removed}${before}`, `${marks.added}${after}`];
}

/** A line as it is shown, or the number of unchanged lines that are left out. */
type Row = LineRow | { kind: 'left-out'; count: number };

interface LineRow {
  kind: 'line';
  line: ComparedLine;
  isCode: boolean;
  /** The row begins with the mark of its kind. Empty lines don't, nor do the further parts of a long line. */
  isMarked: boolean;
}

/** Returns true if only empty lines were added or removed. */
export function isOnlyLayout(lines: readonly ComparedLine[]): boolean {
  return lines.every((line) => line.kind === 'kept' || isEmpty(line));
}

function isEmpty(line: ComparedLine): boolean {
  return line.kind !== 'changed' && line.text === '';
}

const AROUND = 3;
/** Fewer lines are shown: leaving them out would save no space. */
const FEWEST_LEFT_OUT = 3;

/** Returns a comparison without the lines, and the parts of long lines, that are far from any change. */
export function rowsOf(compared: readonly ComparedLine[]): Row[] {
  const lines = laidOut(compared);
  const visibility = linesShown(lines.map(({ line }) => line));
  const rows: Row[] = [];
  for (const [i, { line, isCode }] of lines.entries()) {
    const last = rows.at(-1);
    if (visibility[i]) rows.push(...lineRows(line, isCode));
    else if (last?.kind === 'left-out') last.count++;
    else rows.push({ kind: 'left-out', count: 1 });
  }
  return rows;
}

/** Keeps code as it is, and lays out tables. */
function laidOut(lines: readonly ComparedLine[]): LaidOutLine[] {
  const before = fencedLines(lines.map((line) => lineWithout(line, 'added')));
  const after = fencedLines(lines.map((line) => lineWithout(line, 'removed')));
  const laid: LaidOutLine[] = [];
  let table: ComparedLine[] = [];
  const closeTable = () => {
    // A row may have more cells than a call takes arguments.
    for (const line of laidOutTable(table)) laid.push(line);
    table = [];
  };
  for (const [i, line] of lines.entries()) {
    const isCode = before[i] === true || after[i] === true;
    if (!isCode && isTableRow(beginningOf(line))) table.push(line);
    else {
      closeTable();
      laid.push({ line, isCode });
    }
  }
  closeTable();
  return laid;
}

function beginningOf(line: ComparedLine): string {
  return line.kind === 'changed' ? (line.pieces[0]?.text ?? '') : line.text;
}

function lineRows(line: ComparedLine, isCode: boolean): LineRow[] {
  if (isEmpty(line)) return line.kind === 'removed' ? [] : [{ kind: 'line', line, isCode, isMarked: false }];
  return shortLines(line).map((each, i) => ({ kind: 'line', line: each, isCode, isMarked: i === 0 }));
}

function linesShown(lines: readonly ComparedLine[]): boolean[] {
  const before = distances(lines);
  const after = distances(lines.toReversed()).toReversed();
  const isNear = lines.map((_, i) => Math.min(before[i] ?? 0, after[i] ?? 0) <= AROUND);
  let run: number[] = [];
  for (const [i, near] of [...isNear, true].entries()) {
    if (!near) run.push(i);
    else {
      if (run.length < FEWEST_LEFT_OUT) for (const place of run) isNear[place] = true;
      run = [];
    }
  }
  return isNear;
}

/** Returns how far each line is from the last change before it. */
function distances(lines: readonly ComparedLine[]): number[] {
  let distance = Number.POSITIVE_INFINITY;
  return lines.map(({ kind }) => {
    distance = kind === 'kept' ? distance + 1 : 0;
    return distance;
  });
}

/** Characters on a page with their formatting: well within Slack's limit on a view, and not too long to scroll. */
const PAGE_LENGTH = 6_000;
const FORMATTING = 10;

/** Puts the rows on pages, at least one. `isCut`: the rows are longer than people would read. */
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

/** Marks what is left out of a line. */
const LEFT_OUT = ' […] ';
/** Characters that are shown of an unchanged line, or of an unchanged part on each side of a change. */
const UNCHANGED_LENGTH = 160;
const LONGEST_PART = 2_000;

/** Leaves out unchanged text far from the changes of a line, and splits a line that is still long. */
function shortLines(line: ComparedLine): ComparedLine[] {
  switch (line.kind) {
    case 'kept':
      return [{ kind: 'kept', text: beginning(line.text) }];
    case 'removed':
    case 'added':
      return parts(line.text).map((text) => ({ kind: line.kind, text }));
    case 'changed':
      return grouped(shortPieces(line.pieces)).map((pieces) => ({ kind: 'changed', pieces }));
  }
}

function shortPieces(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(({ kind, text }, i): Piece[] => {
    if (kind !== 'kept') return parts(text).map((part) => ({ kind, text: part }));
    if (text.length <= 2 * UNCHANGED_LENGTH) return [{ kind, text }];
    if (i === 0) return [{ kind, text: `${LEFT_OUT}${end(text)}`.trimStart() }];
    return [{ kind, text: `${beginning(text)}${i === pieces.length - 1 ? '' : ` ${end(text)}`}` }];
  });
}

function beginning(text: string): string {
  if (text.length <= UNCHANGED_LENGTH) return text;
  return text.slice(0, wordEnd(text, UNCHANGED_LENGTH)) + LEFT_OUT.trimEnd();
}

function end(text: string): string {
  const from = text.length - UNCHANGED_LENGTH;
  const space = text.indexOf(' ', from);
  return text.slice(space === -1 ? characterEnd(text, from) : space + 1);
}

/** Returns the last place between two words, or else between two characters. */
function wordEnd(text: string, most: number): number {
  const space = text.lastIndexOf(' ', most);
  return space > most / 2 ? space : characterEnd(text, most);
}

function parts(text: string): string[] {
  const cut: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_PART) {
    const at = wordEnd(rest, LONGEST_PART);
    cut.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...cut, rest];
}

function grouped(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const last = groups.at(-1);
    size += piece.text.length;
    if (last && size <= LONGEST_PART) last.push(piece);
    else {
      groups.push([piece]);
      size = piece.text.length;
    }
  }
  return groups;
}
