import type { Directory } from '../state/directory.tsx';
import { formatSlackDate } from './dates.ts';
import { emojiCharacters } from './emoji.ts';
import { type Inline, parseMrkdwn, type Token } from './parse-mrkdwn.ts';

/** Mrkdwn as one line of text, for excerpts and screen readers. */
export function plainText(mrkdwn: string, directory: Directory): string {
  const words = (node: Inline): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'token':
        return tokenWords(node.token, directory);
      case 'emoji':
        return emojiCharacters(node.name) ?? `:${node.name}:`;
      case 'code':
      case 'bold':
      case 'italic':
      case 'strike':
        return node.children.map(words).join('');
    }
  };
  const paragraphs = parseMrkdwn(mrkdwn, { verbatim: true });
  return paragraphs
    .map(({ children }) => children.map(words).join(''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function tokenWords(token: Token, directory: Directory): string {
  switch (token.kind) {
    case 'user':
      return `@${directory.memberName(token.id)}`;
    case 'group':
      return `@${directory.groupHandle(token.id)}`;
    case 'broadcast':
      return `@${token.range}`;
    case 'channel':
      return `#${directory.channelName(token.id) ?? token.label ?? token.id}`;
    case 'date': {
      const { timeZone, locale } = directory;
      const when = { atMs: token.atMs, nowMs: Date.now(), timeZone, locale };
      return formatSlackDate(token.format, when) ?? token.fallback;
    }
    case 'link':
      return token.label ?? token.url;
  }
}

/** At most `length` code points. */
export function excerpt(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
