// Renders the changes between two rounds for a card and its notification.
import type { RichTextBlock, RichTextText } from '@slack/types';
import type { Say } from '../../language/say.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import type { Piece } from './comparison.ts';
import type { ChangeLine, Changes } from './text-changes.ts';

const MARKS = { removed: '− ', added: '+ ', moved: '↕ ' } as const;

/** Renders a line for each change, in which Slack parses nothing. Changed words within a sentence are bold. */
export function changesBlock({ lines }: Changes, say: Say): RichTextBlock {
  return {
    type: 'rich_text',
    elements: lines.map((line) => ({ type: 'rich_text_section', elements: lineTexts(line, say) })),
  };
}

/** Renders changes as lines of mrkdwn without styles. */
export function changesText({ lines }: Changes, say: Say): string[] {
  return lines.map((line) =>
    escapeMrkdwn(
      lineTexts(line, say)
        .map(({ text }) => text)
        .join(''),
    ),
  );
}

function lineTexts(line: ChangeLine, say: Say): RichTextText[] {
  const label = line.label === null ? '' : `${line.label}: `;
  if (line.kind === 'replaced') return [textOf(`${label}${MARKS.removed}${line.before}  ${MARKS.added}${line.after}`)];
  const moved = line.kind === 'moved' ? `${say('compare.moved')} ` : '';
  const pieces = line.pieces.flatMap((piece) => styledPiece(piece, piece.kind === 'kept' ? undefined : { bold: true }));
  return [textOf(`${MARKS[line.kind]}${moved}${label}`), ...pieces];
}

export type Style = NonNullable<RichTextText['style']>;

/** Renders a piece in a style, from which spaces at its ends are left out. */
export function styledPiece({ text }: Piece, style: Style | undefined): RichTextText[] {
  const inner = text.trim();
  if (style === undefined || inner === '') return textsOf(text);
  const at = text.indexOf(inner);
  return [...textsOf(text.slice(0, at)), ...textsOf(inner, style), ...textsOf(text.slice(at + inner.length))];
}

/** Leaves out an empty text, which Slack refuses. */
export function textsOf(text: string, style?: Style): RichTextText[] {
  return text === '' ? [] : [textOf(text, style)];
}

export function textOf(text: string, style?: Style): RichTextText {
  return { type: 'text', text, ...(style && { style }) };
}
