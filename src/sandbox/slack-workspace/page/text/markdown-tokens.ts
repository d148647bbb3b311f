import { EMOJI_CODE } from './emoji.ts';
import { parseToken } from './parse-mrkdwn.ts';

const OPEN = '\uE000';
const CLOSE = '\uE001';
const LIVE = /<((?:[@#!][^<>\n]+)|(?:(?:https?:|mailto:|tel:)[^<>\n|]+\|[^<>\n]+))>/g;
const MARK = new RegExp(`\uE000(\\d+)\uE001|${EMOJI_CODE.source}`);

/** The subset of mdast used here. */
export type MarkdownNode = {
  type: string;
  value?: string;
  url?: string;
  data?: { hName: string; hProperties: { [name: string]: string } };
  children?: MarkdownNode[] | undefined;
};

/**
 * Slack's mentions, dates and labelled links also work in `markdown` blocks. A Markdown parser would treat `<!channel>`
 * as HTML, split `<https://x|y>` at a table's bar, and not distinguish `&lt;!channel&gt;` from `<!channel>`. So they are
 * replaced with private-use characters before parsing, and `restoreTokens` puts them back into the tree.
 */
export function hideTokens(source: string): { text: string; tokens: string[] } {
  const tokens: string[] = [];
  const text = source.replace(/[\uE000\uE001]/g, '\uFFFD').replace(LIVE, (whole, inside: string) => {
    if (!parseToken(inside)) return whole;
    return `${OPEN}${tokens.push(inside) - 1}${CLOSE}`;
  });
  return { text, tokens };
}

/** Puts tokens back: as `span`s with `data-token` or `data-emoji` in text, as plain text in code and URLs. */
export function restoreTokens(node: MarkdownNode, tokens: string[]): void {
  const plain = (text: string) => text.replace(/\uE000(\d+)\uE001/g, (_, index) => `<${tokens[Number(index)] ?? ''}>`);
  if (node.url !== undefined) node.url = plain(node.url);
  if (node.value !== undefined) node.value = plain(node.value);
  node.children = node.children?.flatMap((child) => {
    if (child.type === 'text') return splitText(child.value ?? '', tokens);
    restoreTokens(child, tokens);
    return [child];
  });
}

function splitText(text: string, tokens: string[]): MarkdownNode[] {
  const pieces = text.split(MARK);
  const nodes: MarkdownNode[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    const [before = '', index, emoji] = pieces.slice(at, at + 3);
    if (before !== '') nodes.push({ type: 'text', value: before });
    if (index !== undefined) nodes.push(marker('data-token', tokens[Number(index)] ?? ''));
    else if (emoji !== undefined) nodes.push(marker('data-emoji', emoji));
  }
  return nodes;
}

function marker(property: 'data-token' | 'data-emoji', value: string): MarkdownNode {
  return { type: 'slackToken', data: { hName: 'span', hProperties: { [property]: value } }, children: [] };
}
