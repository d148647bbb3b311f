import { cleanText } from '../../../core/text.ts';

/** What a mention is called; null where that isn't known. */
type MentionName = (id: string) => string | null;

/** What stands between `<` and `>`: an address or a mention, and perhaps a label. */
const TOKEN = /<([^<>|]+)(?:\|([^<>]*))?>/g;
const TOKEN_OR_ENTITY = new RegExp(`${TOKEN.source}|&(amp|lt|gt);`, 'g');
const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>' };

/**
 * mrkdwn as people would type it: mentions by their names, links by their labels and addresses. Formatting marks stay.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function readableText(mrkdwn: string, nameOf: MentionName): string {
  const text = mrkdwn.replace(TOKEN_OR_ENTITY, (found, target?: string, label?: string, entity?: string) => {
    if (entity !== undefined) return CHARACTERS[entity] ?? found;
    return target === undefined ? found : tokenText(unescaped(target), unescaped(label ?? ''), nameOf);
  });
  return cleanText(text).trim();
}

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (found, name: string) => CHARACTERS[name] ?? found);
}

function tokenText(target: string, label: string, nameOf: MentionName): string {
  const { kind, id } = mention(target);
  switch (kind) {
    case 'person':
    case 'group':
      return `@${withoutMark(nameOf(id) ?? (label || id), '@')}`;
    case 'channel':
      return `#${withoutMark(nameOf(id) ?? (label || id), '#')}`;
    case 'everyone':
      return `@${id}`;
    case 'other':
      return label;
    case 'link':
      return linkText(target, label);
  }
}

function withoutMark(name: string, mark: string): string {
  return name.startsWith(mark) ? name.slice(1) : name;
}

function linkText(address: string, label: string): string {
  const plain = address.replace(/^(?:mailto|tel):/, '');
  const isBare = label === '' || [address, plain, address.replace(/^https?:\/\//, '')].includes(label);
  return isBare ? plain : `${label} (${address})`;
}

type TokenKind = 'person' | 'channel' | 'group' | 'everyone' | 'other' | 'link';

function mention(target: string): { kind: TokenKind; id: string } {
  const [, mark, rest = ''] = /^(@|#|!subteam\^|!)([^^]*)/.exec(target) ?? [];
  switch (mark) {
    case '@':
      return { kind: 'person', id: rest };
    case '#':
      return { kind: 'channel', id: rest };
    case '!subteam^':
      return { kind: 'group', id: rest };
    case '!':
      return { kind: /^(?:here|channel|everyone)$/.test(rest) ? 'everyone' : 'other', id: rest };
    default:
      return { kind: 'link', id: target };
  }
}

/** The people, channels and groups that a text mentions, by Slack's ids, each once. */
export function mentionsIn(mrkdwn: string): { kind: 'person' | 'channel' | 'group'; id: string }[] {
  const found = new Map(
    Array.from(mrkdwn.matchAll(TOKEN), ([, target = '']) => mention(target)).map((each) => [each.id, each]),
  );
  return [...found.values()].flatMap(({ kind, id }) =>
    (kind === 'person' || kind === 'channel' || kind === 'group') && /^[A-Z0-9]+$/.test(id) ? [{ kind, id }] : [],
  );
}
