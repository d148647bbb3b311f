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
  const named = label === undefined ? {} : { label };
  if (/^@[UW][A-Z0-9_]+$/.test(head)) return { kind: 'user', id: head.slice(1), ...named };
  if (/^#[CDG][A-Z0-9_]+$/.test(head)) return { kind: 'channel', id: head.slice(1), ...named };
  if (/^!subteam\^S[A-Z0-9_]+$/.test(head)) return { kind: 'group', id: head.slice('!subteam^'.length), ...named };
  if (head === '!here' || head === '!channel' || head === '!everyone')
    return { kind: 'broadcast', range: rangeOf(head) };
  if (head.startsWith('!date^')) return parseDate(head, label);
  const url = decodeEntities(head);
  return isSafeUrl(url) ? { kind: 'link', url, ...named } : undefined;
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
export function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
