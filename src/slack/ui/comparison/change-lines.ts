// The changes between two rounds as a card and its notification show them.
import type { RichTextBlock, RichTextText } from '@slack/types';
import type { Say } from '../../language/say.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import type { Piece } from './comparison.ts';
import type { ChangeLine, Changes } from './text-changes.ts';

const MARKS = { removed: '− ', added: '+ ', moved: '↕ ' } as const;

/** A line for each, in which Slack parses nothing; changed words within a sentence are bold. */
export function changesBlock({ lines }: Changes, say: Say): RichTextBlock {
  return {
    type: 'rich_text',
    elements: lines.map((line) => ({ type: 'rich_text_section', elements: lineTexts(line, say) })),
  };
}

/** Changes as lines of mrkdwn without styles. */
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
  return [textOf(`${MARKS[line.kind]}${moved}${label}`), ...line.pieces.flatMap(pieceTexts)];
}

/** Spaces at the ends stay outside of the style. */
function pieceTexts({ kind, text }: Piece): RichTextText[] {
  const inner = text.trim();
  if (kind === 'kept' || inner === '') return [textOf(text)];
  const at = text.indexOf(inner);
  return [
    ...(at > 0 ? [textOf(text.slice(0, at))] : []),
    { ...textOf(inner), style: { bold: true } },
    ...(at + inner.length < text.length ? [textOf(text.slice(at + inner.length))] : []),
  ];
}

function textOf(text: string): RichTextText {
  return { type: 'text', text };
}
