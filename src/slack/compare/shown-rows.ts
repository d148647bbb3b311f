import type { RichTextBlock, RichTextText } from '@slack/types';
import { type ComparedLine, lineWithout, type Piece } from './comparison.ts';
import type { Row } from './rows.ts';

type Element = RichTextBlock['elements'][number];
type Style = NonNullable<RichTextText['style']>;

// Marks say it to those who can't see the styles, and where Slack has no styles, as in code.
const MARKS = { kept: '\u2003', removed: '− ', added: '+ ', changed: '± ' } as const;
const CODE_MARKS = { kept: '  ', removed: '− ', added: '+ ' } as const;
/** Around words within a line: small, and not to be taken for a part of a number. */
const WORD_MARKS = { kept: '', removed: '⁻', added: '⁺' } as const;

const STYLES: Record<Piece['kind'], Style | undefined> = {
  ...{ kept: undefined, removed: { strike: true }, added: { bold: true } },
};

/**
 * Rows as rich text, in which Slack parses nothing: what was removed struck through, what was added bold, code and tables with
 * their columns.
 */
export function shownRows(rows: readonly Row[], leftOut: (count: number) => string): RichTextBlock {
  const elements: Element[] = [];
  let code: string[] = [];
  const closeCode = () => {
    if (code.length > 0) elements.push({ type: 'rich_text_preformatted', elements: [textOf(code.join('\n'))] });
    code = [];
  };
  for (const row of rows) {
    if (row.kind === 'line' && row.isCode) code.push(...codeTexts(row.line));
    else {
      closeCode();
      elements.push({ type: 'rich_text_section', elements: inlineTexts(row, leftOut) });
    }
  }
  closeCode();
  return { type: 'rich_text', elements };
}

function inlineTexts(row: Row, leftOut: (count: number) => string): RichTextText[] {
  if (row.kind === 'left-out') return [textOf(leftOut(row.count), { italic: true })];
  const { line } = row;
  const mark = textOf(MARKS[line.kind]);
  if (line.kind !== 'changed') return [mark, ...textsOf(line.text, STYLES[line.kind])];
  return [mark, ...line.pieces.flatMap((piece, i) => [...space(line.pieces[i - 1], piece), ...pieceTexts(piece)])];
}

/** Spaces at the ends stay outside of marks and styles. */
function pieceTexts({ kind, text }: Piece): RichTextText[] {
  const inner = text.trim();
  if (kind === 'kept' || inner === '') return textsOf(text);
  const at = text.indexOf(inner);
  const mark = WORD_MARKS[kind];
  return [
    ...textsOf(text.slice(0, at)),
    ...textsOf(`${mark}${inner}${mark}`, STYLES[kind]),
    ...textsOf(text.slice(at + inner.length)),
  ];
}

/** Between a word and what replaces it. */
function space(before: Piece | undefined, { kind, text }: Piece): RichTextText[] {
  const isBetween = before?.kind === 'removed' && kind === 'added';
  return isBetween && !/\s$/.test(before.text) && !/^\s/.test(text) ? [textOf(' ')] : [];
}

function codeTexts(line: ComparedLine): string[] {
  if (line.kind !== 'changed') return [`${CODE_MARKS[line.kind]}${line.text}`];
  const [before, after] = [lineWithout(line, 'added'), lineWithout(line, 'removed')];
  return [`${CODE_MARKS.removed}${before}`, `${CODE_MARKS.added}${after}`];
}

/** Slack refuses an empty text. */
function textsOf(text: string, style?: Style): RichTextText[] {
  return text === '' ? [] : [textOf(text, style)];
}

function textOf(text: string, style?: Style): RichTextText {
  return { type: 'text', text, ...(style && { style }) };
}
