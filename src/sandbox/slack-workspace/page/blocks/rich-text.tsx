import type { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types';
import type { ReactNode } from 'react';
import { DateView, Emoji, Link, TokenView } from '../text/mrkdwn.tsx';

export function RichTextView({ block }: { block: RichTextBlock }) {
  return (
    <div className="rich-text">
      {block.elements.map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a rich text have no other identity
        <Part key={index} part={element} />
      ))}
    </div>
  );
}

function Part({ part }: { part: RichTextBlockElement }) {
  switch (part.type) {
    case 'rich_text_section':
      return (
        <p className="lines">
          <Pieces pieces={part.elements} />
        </p>
      );
    case 'rich_text_quote':
      return (
        <blockquote className="lines">
          <Pieces pieces={part.elements} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre>
          <code>
            <Pieces pieces={part.elements} />
          </code>
        </pre>
      );
    case 'rich_text_list': {
      const List = part.style === 'ordered' ? 'ol' : 'ul';
      return (
        <List style={{ marginInlineStart: `${(part.indent ?? 0) * 1.5}em` }}>
          {part.elements.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: list items have no other identity
            <li key={index}>
              <Pieces pieces={item.elements} />
            </li>
          ))}
        </List>
      );
    }
  }
}

function Pieces({ pieces }: { pieces: RichTextElement[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a rich text have no other identity
  return pieces.map((piece, index) => <Styled key={index} piece={piece} />);
}

function Styled({ piece }: { piece: RichTextElement }) {
  let content: ReactNode = <Piece piece={piece} />;
  if (piece.style?.code) content = <code>{content}</code>;
  if (piece.style?.bold) content = <strong>{content}</strong>;
  if (piece.style?.italic) content = <em>{content}</em>;
  return piece.style?.strike ? <s>{content}</s> : content;
}

function Piece({ piece }: { piece: RichTextElement }) {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'emoji':
      return <Emoji name={piece.name} />;
    case 'link':
      return <Link href={piece.url}>{piece.text ?? piece.url}</Link>;
    case 'user':
      return <TokenView token={{ kind: 'user', id: piece.user_id }} />;
    case 'channel':
      return <TokenView token={{ kind: 'channel', id: piece.channel_id }} />;
    case 'usergroup':
      return <TokenView token={{ kind: 'group', id: piece.usergroup_id }} />;
    case 'broadcast':
      return <TokenView token={{ kind: 'broadcast', range: piece.range }} />;
    case 'date':
      return (
        <DateView atMs={piece.timestamp * 1000} format={piece.format} url={piece.url} fallback={piece.fallback ?? ''} />
      );
    case 'color':
      return <code>{piece.value}</code>;
    case 'team':
      return `@${piece.team_id}`;
  }
}
