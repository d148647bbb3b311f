// Renders the whole text of a card, folded below its beginning. A container takes neither markdown blocks nor rich text, only sections.
import type { ContainerBlock, KnownBlock, SectionBlock } from '@slack/types';
import type { MarkedToken, Token, Tokens } from 'marked';
import { cleanText } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { plain, section } from './blocks.ts';
import { sensibleEnd, withAddresses } from './cut-markdown.ts';
import { shownFields } from './fields.ts';
import { CONTAINER_BLOCKS, MESSAGE_BLOCKS_TEXT_LIMIT, TEXT_LIMIT } from './limits.ts';
import { plainSections } from './plain-blocks.ts';
import { codeText, isAddress, keepsWords, tableText } from './rich-text.ts';
import type { Structure } from './structure.ts';
import { escapeMrkdwn } from './text/escape.ts';
import { parseMarkdown, plainOf, withoutEntities } from './text/markdown.ts';
import { countWords } from './text/pieces.ts';

interface WholeText {
  text: string;
  more: string;
  structure: Structure | null;
  others: readonly KnownBlock[];
  say: Say;
}

/** Room for the lines of a direct message, which are more than a card's, and for a limit that Slack doesn't document. */
const RESERVE = 3_400;

/** Returns a folded container with the whole text; nothing if the message has no room for it. */
export function wholeTextBlocks({ text, more, structure, others, say }: WholeText): ContainerBlock[] {
  const room = MESSAGE_BLOCKS_TEXT_LIMIT - RESERVE - textLength(others);
  if (text.length > room) return [];
  const always = () => true;
  const sections =
    structure === null
      ? sectionsOf(text)
      : plainSections([shownFields(structure, { whole: always, part: always }, say).block]);
  if (sections === null || sections.length > CONTAINER_BLOCKS || textLength(sections) > room) return [];
  const title = plain(say('text.whole', { more, count: countWords(text) }));
  return [
    { type: 'container', title, is_collapsible: true, default_collapsed: true, width: 'full', child_blocks: sections },
  ];
}

/** Returns how much of the limit on a message's text these blocks take. https://github.com/slackapi/bolt-js/issues/2509 */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLength(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, held]) => sum + (name === 'text' && typeof held === 'string' ? held.length : textLength(held)),
    0,
  );
}

/** A part of a text. `mrkdwn` is null if characters of the text would be taken for marks. */
interface Part {
  mrkdwn: string | null;
  plain: string;
}

/** Returns a text as sections; null if it can't be parsed. */
function sectionsOf(text: string): SectionBlock[] | null {
  const parts = partsOf(withAddresses(cleanText(text)).trim());
  if (parts === null) return null;
  const sections = groupsOf(parts).map(({ mrkdwn, plain: words }) =>
    mrkdwn === null ? plainSection(words) : section(mrkdwn),
  );
  if (sections.length <= CONTAINER_BLOCKS) return sections;
  return groupsOf(parts.map((part) => ({ ...part, mrkdwn: null }))).map((part) => plainSection(part.plain));
}

function plainSection(text: string): SectionBlock {
  return { type: 'section', text: plain(text), expand: true };
}

function groupsOf(parts: readonly Part[]): Part[] {
  const groups: Part[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const joined = last && joinedParts(last, part);
    if (joined) groups[groups.length - 1] = joined;
    else groups.push(part);
  }
  return groups;
}

function joinedParts(one: Part, other: Part): Part | null {
  if ((one.mrkdwn === null) !== (other.mrkdwn === null)) return null;
  const words = `${one.plain}\n\n${other.plain}`;
  const mrkdwn = one.mrkdwn === null ? null : `${one.mrkdwn}\n\n${other.mrkdwn}`;
  return (mrkdwn ?? words).length > TEXT_LIMIT ? null : { mrkdwn, plain: words };
}

// A text that is nested thousands of levels deep overflows the parser's stack.
function partsOf(markdown: string): Part[] | null {
  try {
    return parseMarkdown(markdown)
      .filter(({ type }) => type !== 'space')
      .flatMap((token) => blockParts(token as MarkedToken));
  } catch {
    return null;
  }
}

function blockParts(token: MarkedToken): Part[] {
  if (token.type === 'code') return codeParts(codeText(token));
  if (token.type === 'table') return codeParts(tableText(token));
  const plainWords = plainBlock(token);
  const isWhole = keepsWords(token.raw, plainWords);
  const words = isWhole ? plainWords : token.raw.trim();
  const mrkdwn = isWhole ? blockMrkdwn(token) : null;
  if (mrkdwn !== null && mrkdwn.length <= TEXT_LIMIT) return [{ mrkdwn, plain: words }];
  return plainParts(words);
}

function plainParts(text: string): Part[] {
  return cutAt(text, (rest) => sensibleEnd(rest, TEXT_LIMIT)).map((plain) => ({ mrkdwn: null, plain }));
}

const CODE_MARK = '```';

function codeParts(code: string): Part[] {
  if (code.includes(CODE_MARK)) return plainParts(code);
  // Escaping makes a character at most five times as long.
  const endOf = (rest: string) =>
    escapeMrkdwn(rest).length < TEXT_LIMIT - 10 ? rest.length : sensibleEnd(rest, TEXT_LIMIT / 5);
  const fenced = (text: string) => `${CODE_MARK}\n${escapeMrkdwn(text)}\n${CODE_MARK}`;
  return cutAt(code, endOf).map((plain) => ({ mrkdwn: fenced(plain), plain }));
}

function cutAt(text: string, endOf: (rest: string) => number): string[] {
  const parts: string[] = [];
  for (let rest = text; rest.trim() !== ''; ) {
    const end = Math.max(1, endOf(rest));
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end);
  }
  return parts;
}

function plainBlock(token: MarkedToken): string {
  if (token.type === 'list') return listText(token, (item) => plainOf(item).trim());
  if (token.type === 'hr') return '———';
  return plainOf([token]).trim();
}

/** Returns a part as mrkdwn; null if Slack would take a character of the text for a mark. */
function blockMrkdwn(token: MarkedToken): string | null {
  try {
    switch (token.type) {
      case 'heading':
        return `*${inlineMrkdwn(token.tokens)}*`;
      case 'paragraph':
        return inlineMrkdwn(token.tokens);
      case 'list':
        return listText(token, inlineMrkdwn);
      case 'blockquote':
        return token.tokens
          .map((inner) => blockMrkdwn(inner as MarkedToken) ?? unsafe())
          .join('\n')
          .replace(/^/gm, '>');
      default:
        return literal(plainBlock(token));
    }
  } catch (error) {
    if (error instanceof UnsafeText) return null;
    throw error;
  }
}

class UnsafeText extends Error {}

function unsafe(): never {
  throw new UnsafeText();
}

function listText(list: Tokens.List, words: (tokens: Token[]) => string, indent = ''): string {
  const first = typeof list.start === 'number' ? list.start : 1;
  return list.items
    .map((item, i) => {
      const own = item.tokens.filter(({ type }) => type !== 'list');
      const inner = item.tokens.filter((each): each is Tokens.List => each.type === 'list');
      const mark = list.ordered ? `${first + i}.` : '•';
      return [`${indent}${mark} ${words(own)}`, ...inner.map((each) => listText(each, words, `${indent}    `))].join(
        '\n',
      );
    })
    .join('\n');
}

function inlineMrkdwn(tokens: readonly Token[]): string {
  return tokens.map((token) => inlineToken(token as MarkedToken)).join('');
}

function inlineToken(token: MarkedToken): string {
  switch (token.type) {
    case 'strong':
      return `*${inlineMrkdwn(token.tokens)}*`;
    case 'em':
      return `_${inlineMrkdwn(token.tokens)}_`;
    case 'del':
      return `~${inlineMrkdwn(token.tokens)}~`;
    case 'codespan':
      return token.text.includes('`') ? unsafe() : `\`${escapeMrkdwn(token.text)}\``;
    case 'link':
    case 'image':
      return addressed(plainOf([token]), token.href);
    case 'br':
      return '\n';
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
    case 'paragraph':
      return token.tokens ? inlineMrkdwn(token.tokens) : literal(withoutEntities(token.text));
    case 'escape':
      return literal(withoutEntities(token.text));
    default:
      return literal(token.raw);
  }
}

/** Shows the address, so that no label can hide where a link leads. */
function addressed(label: string, href: string): string {
  if (!isAddress(href) || /[<>|]/.test(href)) return literal(href === label ? label : `${label} (${href})`);
  const address = `<${escapeMrkdwn(href)}>`;
  return label === '' || label === href || `mailto:${label}` === href ? address : `${literal(label)} (${address})`;
}

/** Characters that mrkdwn takes for marks, and names of emoji. */
const MARKS = /(?<![\p{L}\p{N}])[*_~](?=\S)|`|:[a-z][\w+'-]*:/u;

function literal(text: string): string {
  return MARKS.test(text) ? unsafe() : escapeMrkdwn(text);
}
