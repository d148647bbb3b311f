import type { RichTextBlock, RichTextText } from '@slack/types';
import { type ComparedLine, lineWithout, type Piece } from './comparison.ts';
import type { Row } from './rows.ts';

type Element = RichTextBlock['elements'][number];

// Marks say it to those who can't see the styles, and where Slack has no styles, as in code.
const MARKS = { kept: '\u2003', removed: '− ', added: '+ ', changed: '± ' } as const;
const CODE_MARKS = { kept: '  ', removed: '− ', added: '+ ' } as const;
/** Around words within a line: small, and not to be taken for a part of a number. */
const WORD_MARKS = { kept: '', removed: '⁻', added: '⁺' } as const;

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
  if (line.kind !== 'changed') return line.text === '' ? [mark] : [mark, styled(line)];
  return [mark, ...line.pieces.flatMap((piece, i) => [...space(line.pieces[i - 1], piece), styled(marked(piece))])];
}

/** The mark stands at both ends, but not where a space would part it from its word. */
function marked({ kind, text }: Piece): Piece {
  const mark = WORD_MARKS[kind];
  const inner = text.trim();
  return { kind, text: inner === '' ? text : text.replace(inner, () => `${mark}${inner}${mark}`) };
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

function styled({ kind, text }: Piece): RichTextText {
  switch (kind) {
    case 'kept':
      return textOf(text);
    case 'removed':
      return textOf(text, { strike: true });
    case 'added':
      return textOf(text, { bold: true });
  }
}

function textOf(text: string, style?: NonNullable<RichTextText['style']>): RichTextText {
  return { type: 'text', text, ...(style && { style }) };
}
