// A comparison as people read it: rows in pages, without what is far from any change.
import type { RichTextBlock, RichTextElement, RichTextText } from '@slack/types';
import type { Token } from 'marked';
import { characterEnd } from '../../../core/values/cut.ts';
import { READABLE_LENGTH } from '../limits.ts';
import { inlineElements, MOST_BYTES } from '../rich-text.ts';
import { parseLine } from '../text/markdown.ts';
import { type ComparedLine, fencedLines, lineWithout, type Piece } from './comparison.ts';
import { isTableRow, type LaidOutLine, laidOutTable } from './tables.ts';

type Element = RichTextBlock['elements'][number];
type Style = NonNullable<RichTextText['style']>;

const MARKS = { kept: '\u2003', removed: '− ', added: '+ ' } as const;
const CODE_MARKS = { kept: '  ', removed: '− ', added: '+ ' } as const;

/** Styles of words within a line that stayed; whole lines have marks. */
const STYLES: Record<Piece['kind'], Style | undefined> = {
  kept: undefined,
  removed: { strike: true },
  added: { bold: true },
};

/**
 * Rows as rich text, in which Slack parses nothing but the links in it, whose addresses are shown. Lines that were removed or added
 * begin with a mark; within a changed line, removed words are struck through and added ones bold. Whole lines are rendered, those
 * that changed are shown as they are written.
 */
export function shownRows(rows: readonly Row[], leftOut: (count: number) => string): RichTextBlock {
  const shown = blockOf(rows, leftOut, lineElements);
  const isTooLarge = Buffer.byteLength(JSON.stringify(shown)) > MOST_BYTES;
  return isTooLarge ? blockOf(rows, leftOut, asWritten) : shown;
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
  return [mark, ...pieces.flatMap((piece, i) => [...space(pieces[i - 1], piece), ...pieceTexts(piece)])];
}

function asWritten({ text }: Piece): RichTextText[] {
  return textsOf(text);
}

const HEADING = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const ITEM = /^([ \t]*)[-*+][ \t]+/;
/** Code by its indentation, or what goes on below an item of a list. */
const INDENTED = /^(?: {4}|\t)/;

/** The point of a list looks alike whether its line is whole or not. */
function withBullet({ kind, text }: Piece): Piece {
  return { kind, text: text.replace(ITEM, '$1• ') };
}

/** A line of Markdown as it is read, which shows every word of it. What is struck through would look removed, so its marks are shown. */
function lineElements({ text }: Piece): RichTextElement[] {
  const [heading] = HEADING.exec(text) ?? [];
  if (heading !== undefined) return inlineElements(parsed(text.slice(heading.length)), { bold: true });
  const [item, indent = ''] = ITEM.exec(text) ?? [];
  if (item !== undefined) return [...textsOf(`${indent}• `), ...inlineElements(parsed(text.slice(item.length)))];
  return INDENTED.test(text) ? textsOf(text) : inlineElements(parsed(text));
}

function parsed(text: string): Token[] {
  try {
    return withMarks(parseLine(text));
  } catch {
    // Text that is nested thousands of levels deep overflows the parser's stack.
    return [{ type: 'text', raw: text, text }];
  }
}

/** Struck text gets its marks: in a comparison, the style says that something was removed. */
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

/** Spaces at the ends stay outside of the style. */
function pieceTexts({ kind, text }: Piece): RichTextText[] {
  const inner = text.trim();
  if (kind === 'kept' || inner === '') return textsOf(text);
  const at = text.indexOf(inner);
  return [...textsOf(text.slice(0, at)), ...textsOf(inner, STYLES[kind]), ...textsOf(text.slice(at + inner.length))];
}

/** Between a word and what replaces it. */
function space(before: Piece | undefined, { kind, text }: Piece): RichTextText[] {
  const isBetween = before?.kind === 'removed' && kind === 'added';
  return isBetween && !/\s$/.test(before.text) && !/^\s/.test(text) ? [textOf(' ')] : [];
}

function codeTexts({ line, isMarked }: LineRow): string[] {
  if (line.kind !== 'changed') return [`${CODE_MARKS[isMarked ? line.kind : 'kept']}${line.text}`];
  const [before, after] = [lineWithout(line, 'added'), lineWithout(line, 'removed')];
  const marks = isMarked ? CODE_MARKS : { removed: CODE_MARKS.kept, added: CODE_MARKS.kept };
  return [`${marks.removed}${before}`, `${marks.added}${after}`];
}

/** Slack refuses an empty text. */
function textsOf(text: string, style?: Style): RichTextText[] {
  return text === '' ? [] : [textOf(text, style)];
}

function textOf(text: string, style?: Style): RichTextText {
  return { type: 'text', text, ...(style && { style }) };
}

/** A line as it is shown, or the number of unchanged lines that are left out. */
type Row = LineRow | { kind: 'left-out'; count: number };

interface LineRow {
  kind: 'line';
  line: ComparedLine;
  isCode: boolean;
  /** Whether it begins with the mark of its kind: empty lines don't, nor what goes on with a long line. */
  isMarked: boolean;
}

/** Whether only empty lines were added or removed. */
export function isOnlyLayout(lines: readonly ComparedLine[]): boolean {
  return lines.every((line) => line.kind === 'kept' || isEmpty(line));
}

function isEmpty(line: ComparedLine): boolean {
  return line.kind !== 'changed' && line.text === '';
}

/** Unchanged lines that are shown before and after a change, so that people see where it is. */
const AROUND = 3;
/** Leaving out fewer saves no space. */
const FEWEST_LEFT_OUT = 3;

/** A comparison without the lines far from any change, and without the parts of long lines far from any change. */
export function rowsOf(compared: readonly ComparedLine[]): Row[] {
  const lines = laidOut(compared);
  const shown = linesShown(lines.map(({ line }) => line));
  const rows: Row[] = [];
  for (const [i, { line, isCode }] of lines.entries()) {
    const last = rows.at(-1);
    if (shown[i]) rows.push(...lineRows(line, isCode));
    else if (last?.kind === 'left-out') last.count++;
    else rows.push({ kind: 'left-out', count: 1 });
  }
  return rows;
}

/** Code as it is, and tables as tables. */
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

/** How far each line is from the last change before it. */
function distances(lines: readonly ComparedLine[]): number[] {
  let distance = Number.POSITIVE_INFINITY;
  return lines.map(({ kind }) => {
    distance = kind === 'kept' ? distance + 1 : 0;
    return distance;
  });
}

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

/** Stands for what is left out of a line. */
const LEFT_OUT = ' […] ';
/** What is shown of an unchanged line, or of an unchanged part on each side of a change. */
const UNCHANGED_LENGTH = 160;
/** A longer part of a line is shown as several. */
const LONGEST_PART = 2_000;

/** A line without unchanged text far from its changes; several where even then it is long. */
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

/** The last place between two words, or else between two characters. */
function wordEnd(text: string, most: number): number {
  const space = text.lastIndexOf(' ', most);
  return space > most / 2 ? space : characterEnd(text, most);
}

function parts(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_PART) {
    const at = wordEnd(rest, LONGEST_PART);
    found.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...found, rest];
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
