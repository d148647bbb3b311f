import { emojiCharacters } from './emoji.ts';

/** https://docs.slack.dev/messaging/formatting-message-text */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'token'; token: Token }
  | { kind: 'emoji'; name: string }
  | { kind: 'code'; children: Inline[] }
  | { kind: 'bold' | 'italic' | 'strike'; children: Inline[] };

export type Paragraph = { kind: 'lines'; children: Inline[] } | { kind: 'pre'; children: Inline[] } | QuoteParagraph;
type QuoteParagraph = { kind: 'quote'; children: Inline[] };

type Options = { /** Bare URLs remain text. */ verbatim: boolean };

/** Parses mrkdwn into preformatted text, quotes and lines. Never fails: unclosed marks remain text. */
export function parseMrkdwn(source: string, options: Options): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let from = 0;
  for (const fence of source.matchAll(/```(?:\n)?([\s\S]+?)```\n?/g)) {
    paragraphs.push(...parseLines(source.slice(from, fence.index), options));
    paragraphs.push({ kind: 'pre', children: parseLiteral((fence[1] ?? '').replace(/\n$/, '')) });
    from = fence.index + fence[0].length;
  }
  paragraphs.push(...parseLines(source.slice(from), options));
  return paragraphs;
}

function parseLines(source: string, options: Options): Paragraph[] {
  if (source.trim() === '') return [];
  const paragraphs: Paragraph[] = [];
  let run: { kind: 'lines' | 'quote'; lines: string[] } | undefined;
  const flush = () => {
    if (run) paragraphs.push({ kind: run.kind, children: parseInline(run.lines.join('\n'), options) });
  };
  for (const line of source.replace(/^\n|\n$/g, '').split('\n')) {
    const quoted = /^(?:&gt;|>)\s?(.*)$/.exec(line);
    const kind = quoted ? 'quote' : 'lines';
    if (run?.kind !== kind) {
      flush();
      run = { kind, lines: [] };
    }
    run.lines.push(quoted ? (quoted[1] ?? '') : line);
  }
  flush();
  return paragraphs;
}

const PIECE =
  /<([^<>\n]+)>|`([^`\n]+)`|:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):|(?<![\w&])([*_~])(?=[^\s])(.+?)(?<=[^\s])\4(?!\w)|(https?:\/\/[^\s<>|]+[^\s<>|.,:;!?)\]'"])/;

function parseInline(source: string, options: Options): Inline[] {
  const pieces: Inline[] = [];
  let rest = source;
  let skip = 0;
  for (let match = PIECE.exec(rest); match; match = PIECE.exec(rest.slice(skip))) {
    const at = skip + match.index;
    const piece = pieceOf(match, options);
    if (piece) {
      pieces.push(...literal(rest.slice(0, at)), piece);
      rest = rest.slice(at + match[0].length);
      skip = 0;
    } else {
      skip = at + 1;
    }
  }
  return [...pieces, ...literal(rest)];
}

function pieceOf(match: RegExpExecArray, options: Options): Inline | undefined {
  const [, token, code, emoji, mark, marked, url] = match;
  if (token !== undefined) return tokenPiece(token);
  if (code !== undefined) return { kind: 'code', children: parseLiteral(code) };
  if (emoji !== undefined) return emojiCharacters(emoji) === undefined ? undefined : { kind: 'emoji', name: emoji };
  if (url !== undefined) return options.verbatim || !isSafeUrl(url) ? undefined : bareLink(url);
  if (mark === undefined || marked === undefined) return undefined;
  const kind = mark === '*' ? 'bold' : mark === '_' ? 'italic' : 'strike';
  return { kind, children: parseInline(marked, options) };
}

function bareLink(url: string): Inline {
  return { kind: 'token', token: { kind: 'link', url: decodeEntities(url) } };
}

function tokenPiece(inside: string): Inline | undefined {
  const token = parseToken(inside);
  return token && { kind: 'token', token };
}

/** In code, Slack interprets only `<…>`: mentions there are live too. */
function parseLiteral(source: string): Inline[] {
  const pieces: Inline[] = [];
  let from = 0;
  for (const match of source.matchAll(/<([^<>\n]+)>/g)) {
    const piece = tokenPiece(match[1] ?? '');
    if (!piece) continue;
    pieces.push(...literal(source.slice(from, match.index)), piece);
    from = match.index + match[0].length;
  }
  return [...pieces, ...literal(source.slice(from))];
}

function literal(text: string): Inline[] {
  return text === '' ? [] : [{ kind: 'text', text: decodeEntities(text) }];
}

/** The content of `<…>` in Slack's text. https://docs.slack.dev/messaging/formatting-message-text#advanced */
export type Token =
  | { kind: 'user'; id: string; label?: string }
  | { kind: 'channel'; id: string; label?: string }
  | { kind: 'group'; id: string; label?: string }
  | { kind: 'broadcast'; range: 'here' | 'channel' | 'everyone' }
  | { kind: 'date'; atMs: number; format: string; url?: string; fallback: string }
  | { kind: 'link'; url: string; label?: string };

/** Parses the content of `<…>`, decoding entities. Undefined if Slack would show it verbatim. */
export function parseToken(inside: string): Token | undefined {
  const bar = inside.indexOf('|');
  const head = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : decodeEntities(inside.slice(bar + 1));
  const labelPart = label === undefined ? {} : { label };
  if (/^@[UW][A-Z0-9_]+$/.test(head)) return { kind: 'user', id: head.slice(1), ...labelPart };
  if (/^#[CDG][A-Z0-9_]+$/.test(head)) return { kind: 'channel', id: head.slice(1), ...labelPart };
  if (/^!subteam\^S[A-Z0-9_]+$/.test(head)) return { kind: 'group', id: head.slice('!subteam^'.length), ...labelPart };
  if (head === '!here' || head === '!channel' || head === '!everyone')
    return { kind: 'broadcast', range: rangeOf(head) };
  if (head.startsWith('!date^')) return parseDate(head, label);
  const url = decodeEntities(head);
  return isSafeUrl(url) ? { kind: 'link', url, ...labelPart } : undefined;
}

function rangeOf(head: '!here' | '!channel' | '!everyone'): 'here' | 'channel' | 'everyone' {
  if (head === '!here') return 'here';
  return head === '!channel' ? 'channel' : 'everyone';
}

function parseDate(head: string, fallback = ''): Token | undefined {
  const [, seconds = '', format = '', url] = head.split('^');
  if (!/^\d{1,12}$/.test(seconds) || format === '') return undefined;
  const link = url === undefined ? undefined : decodeEntities(url);
  const linked = link !== undefined && isSafeUrl(link) ? { url: link } : {};
  return { kind: 'date', atMs: Number(seconds) * 1000, format: decodeEntities(format), ...linked, fallback };
}

/** Slack links nothing else; `javascript:` and `data:` remain text. */
export function isSafeUrl(url: string): boolean {
  return /^(https?:\/\/|mailto:|tel:)[^\s]+$/i.test(url);
}

/** Slack uses only these three entities. `&amp;` comes last, so that `&amp;lt;` becomes `&lt;`. */
function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
