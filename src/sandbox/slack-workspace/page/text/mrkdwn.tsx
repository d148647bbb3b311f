import type { TextObject } from '@slack/types';
import { type MouseEvent, type ReactNode, useMemo } from 'react';
import { useDirectory } from '../state/directory.tsx';
import { routeFromPermalink } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { exactTime, formatSlackDate } from './dates.ts';
import { EMOJI_CODE, emojiCharacters, type PlainText } from './emoji.ts';
import { type Inline, isSafeUrl, type Paragraph, parseMrkdwn, type Token } from './parse-mrkdwn.ts';

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean | undefined }) {
  const paragraphs = useMemo(() => parseMrkdwn(text, { verbatim }), [text, verbatim]);
  // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of one text have no other identity
  return paragraphs.map((paragraph, index) => <ParagraphView key={index} paragraph={paragraph} />);
}

function ParagraphView({ paragraph }: { paragraph: Paragraph }) {
  const children = <Inlines nodes={paragraph.children} />;
  switch (paragraph.kind) {
    case 'lines':
      return <p className="lines">{children}</p>;
    case 'quote':
      return <blockquote className="lines">{children}</blockquote>;
    case 'pre':
      return (
        <pre>
          <code>{children}</code>
        </pre>
      );
  }
}

function Inlines({ nodes }: { nodes: Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity
  return nodes.map((node, index) => <InlineView key={index} node={node} />);
}

function InlineView({ node }: { node: Inline }) {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'emoji':
      return <Emoji name={node.name} />;
    case 'token':
      return <TokenView token={node.token} />;
    case 'code':
      return (
        <code>
          <Inlines nodes={node.children} />
        </code>
      );
    case 'bold':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Inlines nodes={node.children} />
        </s>
      );
  }
}

/** Plain text is not parsed, except for emoji if enabled. */
export function TextObjectView({ text }: { text: TextObject }) {
  switch (text.type) {
    case 'mrkdwn':
      return <Mrkdwn text={text.text} verbatim={text.verbatim} />;
    case 'plain_text':
      return (
        <span className="lines">
          <TextWithEmoji text={text} />
        </span>
      );
  }
}

export function TokenView({ token }: { token: Token }) {
  const directory = useDirectory();
  switch (token.kind) {
    case 'user': {
      const isMe = directory.meId === token.id;
      return (
        <span className={isMe ? 'mention mention-me' : 'mention'} title={directory.role(token.id)}>
          @{directory.memberName(token.id)}
        </span>
      );
    }
    case 'group': {
      const mine = directory.isInGroup(token.id);
      return (
        <span className={mine ? 'mention mention-me' : 'mention'} title={directory.groupMembers(token.id)}>
          @{directory.groupHandle(token.id)}
        </span>
      );
    }
    case 'broadcast':
      return <span className="mention mention-me">@{token.range}</span>;
    case 'channel':
      return (
        <a className="mention" href={`#/${token.id}`}>
          #{directory.channelName(token.id) ?? token.label ?? 'private channel'}
        </a>
      );
    case 'date':
      return <DateView {...token} />;
    case 'link':
      return (
        <Link href={token.url}>
          {token.label === undefined ? (
            token.url.replace(/^mailto:/, '')
          ) : (
            <TextWithEmoji text={{ text: token.label }} />
          )}
        </Link>
      );
  }
}

/** A date in the viewer's time zone, language and clock, with the exact time on hover. */
export function DateView(date: { atMs: number; format: string; url?: string | undefined; fallback: string }) {
  const { timeZone, locale } = useDirectory();
  const when = { atMs: date.atMs, nowMs: Date.now(), timeZone, locale };
  const text = formatSlackDate(date.format, when) ?? date.fallback;
  const moment = new Date(date.atMs);
  const content = (
    <time dateTime={moment.toISOString()} title={exactTime(date.atMs, when)}>
      {text}
    </time>
  );
  return date.url === undefined ? content : <Link href={date.url}>{content}</Link>;
}

/** Permalinks into this workspace open in place. Unsafe URLs remain text. */
export function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!isSafeUrl(href)) return <>{children}</>;
  const inside = routeFromPermalink(href, location.origin);
  if (!inside) {
    return (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    );
  }
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    navigate(inside);
  };
  return (
    <a href={href} onClick={open}>
      {children}
    </a>
  );
}

/** `name` is the shortcode without the colons. Unknown ones remain text, as in a workspace without that emoji. */
export function Emoji({ name }: { name: string }) {
  const characters = emojiCharacters(name);
  if (characters === undefined) return `:${name}:`;
  return (
    <span role="img" aria-label={name.replace(/[_:-]+/g, ' ')} title={`:${name}:`}>
      {characters}
    </span>
  );
}

/** Works like `textWithEmoji`, and names each emoji. */
export function TextWithEmoji({ text }: { text: PlainText }) {
  if (text.emoji === false) return text.text;
  const pieces = text.text.split(EMOJI_CODE);
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity
  return pieces.map((piece, index) => (index % 2 === 1 ? <Emoji key={index} name={piece} /> : piece));
}
