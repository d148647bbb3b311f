import type { RichTextBlock, RichTextElement, RichTextList, RichTextSection, RichTextText } from '@slack/types';
import type { MarkedToken, Token, Tokens } from 'marked';
import { VIEW_BYTES } from './limits.ts';
import { parseMarkdown, plainOf, withoutEntities } from './text/markdown.ts';

// Renders Markdown as rich text: in modals, which take no Markdown block, and in the plainer renderings of messages.

type Element = RichTextBlock['elements'][number];

/** The rest of a view needs some room, too. */
export const MOST_BYTES = VIEW_BYTES - 70_000;
/** Deeper lists stay at this depth, where they are still readable. */
const MOST_INDENT = 6;
/** A wider cell moves the rest of its row to the right instead of making the whole column wide. */
const WIDEST_COLUMN = 30;

/**
 * Renders foreign Markdown as rich text, for modals, where Slack takes no markdown block. Slack parses nothing in rich text, so only links
 * are live, and their addresses are always shown. Text that can't be rendered is shown as it is.
 */
export function richText(markdown: string): RichTextBlock[] {
  if (markdown.trim() === '') return [];
  const elements = render(markdown) ?? [plainElement(markdown)];
  const block: RichTextBlock = { type: 'rich_text', elements };
  const isTooLarge = Buffer.byteLength(JSON.stringify(block)) > MOST_BYTES;
  return [isTooLarge ? { type: 'rich_text', elements: [plainElement(markdown)] } : block];
}

// Text that is nested thousands of levels deep overflows the parser's stack.
function render(markdown: string): Element[] | null {
  try {
    const elements = blocks(parseMarkdown(markdown), 0);
    return elements.length > 0 ? elements : null;
  } catch {
    return null;
  }
}

function plainElement(text: string): Element {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] };
}

function blocks(tokens: Token[], indent: number): Element[] {
  return tokens.flatMap((token, i) => {
    const elements = block(token as MarkedToken, indent);
    return token.type === 'heading' && i > 0 ? spaced(elements) : elements;
  });
}

/** Begins a heading with an empty line, since Slack leaves no space between the parts of a text. */
function spaced(elements: Element[]): Element[] {
  return elements.map((each) =>
    each.type === 'rich_text_section' ? { ...each, elements: [{ type: 'text', text: '\n' }, ...each.elements] } : each,
  );
}

function block(token: MarkedToken, indent: number): Element[] {
  switch (token.type) {
    case 'heading':
      return paragraph(inlineElements(token.tokens, { bold: true }));
    case 'paragraph':
      return paragraph(inlineElements(token.tokens));
    case 'text':
      return paragraph(inlineElements(token.tokens ?? [token]));
    case 'list':
      return list(token, indent);
    case 'code':
      return code(token);
    case 'blockquote':
      return quote(token);
    case 'table':
      return [plainElement(tableText(token))];
    case 'hr':
      return paragraph([{ type: 'text', text: '———' }]);
    case 'space':
      return [];
    default:
      return paragraph(inlineElements([token]));
  }
}

function paragraph(elements: RichTextElement[]): Element[] {
  return elements.length === 0
    ? []
    : [{ type: 'rich_text_section', elements: [...elements, { type: 'text', text: '\n' }] }];
}

/** Slack has no nested lists, only indented ones: a list ends before what its item contains, and another list continues it. */
function list(token: Tokens.List, indent: number): Element[] {
  const first = typeof token.start === 'number' ? token.start : 1;
  const elements: Element[] = [];
  let open: RichTextList | null = null;
  for (const [i, item] of token.items.entries()) {
    const own = item.tokens.filter(isInline);
    const inner = item.tokens.filter((each) => !isInline(each));
    if (!open) {
      open = emptyList(token.ordered ? first + i : null, indent);
      elements.push(open);
    }
    open.elements.push(itemSection(own));
    if (inner.length === 0) continue;
    elements.push(...blocks(inner, indent + 1));
    open = null;
  }
  return elements;
}

function emptyList(number: number | null, indent: number): RichTextList {
  const offset = number !== null && number > 1 ? { offset: number - 1 } : {};
  const style = number === null ? 'bullet' : 'ordered';
  return { type: 'rich_text_list', style, indent: Math.min(indent, MOST_INDENT), ...offset, elements: [] };
}

function itemSection(tokens: Token[]): RichTextSection {
  const elements = inlineElements(tokens);
  return { type: 'rich_text_section', elements: elements.length > 0 ? elements : [{ type: 'text', text: ' ' }] };
}

function isInline({ type }: Token): boolean {
  return type === 'text' || type === 'paragraph' || type === 'checkbox';
}

function code(token: Tokens.Code): Element[] {
  const text = codeText(token);
  return text === '' ? [] : [plainElement(text)];
}

/** Returns code without the name of its language. Anything longer beside the marks is text. */
export function codeText({ lang = '', text, raw }: Tokens.Code): string {
  return /^[\w.+#-]{0,20}$/.test(lang) ? text : raw.trimEnd();
}

/** Returns a table as aligned lines, or its source if those lack words: they drop addresses of links, and cells beyond the header. */
export function tableText(token: Tokens.Table): string {
  const lines = tableLines(token);
  return keepsWords(token.raw, lines) ? lines : token.raw.trimEnd();
}

function quote(token: Tokens.Blockquote): Element[] {
  const plain = token.tokens
    .map((inner) => plainOf([inner]))
    .join('\n')
    .trim();
  const text = keepsWords(token.raw, plain) ? plain : token.raw.replace(/^ {0,3}> ?/gm, '').trim();
  return text === '' ? [] : [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }];
}

/** Returns a table as lines of text with aligned columns. */
function tableLines({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((row) => row.map(({ tokens }) => plainOf(tokens).replace(/\s+/g, ' ')));
  const widths = header.map((_, column) =>
    Math.min(WIDEST_COLUMN, Math.max(...lines.map((line) => (line[column] ?? '').length))),
  );
  const [first, ...rest] = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(Math.max(1, width))).join('  ');
  return [first, rule, ...rest].join('\n');
}

const WORDS = /[\p{L}\p{N}]+/gu;
const ENTITIES = /&(?:#?\w{1,31});/g;

/** Returns true if a rendering shows every word of its source: nothing that a person has to judge may be hidden in marks. */
export function keepsWords(source: string, rendering: string): boolean {
  const seen = rendering.match(WORDS) ?? [];
  const vocabulary = new Set(seen);
  const words = source.replace(ENTITIES, ' ').match(WORDS) ?? [];
  return words.length <= seen.length && words.every((word) => vocabulary.has(word));
}

type Style = NonNullable<RichTextText['style']>;

const OPENS = /^(?:https?:\/\/|mailto:)\S+$/i;
const LONGEST_ADDRESS = 2_000;

export function inlineElements(tokens: Token[], style: Style = {}): RichTextElement[] {
  return tokens.flatMap((token) => inline(token as MarkedToken, style));
}

function inline(token: MarkedToken, style: Style): RichTextElement[] {
  switch (token.type) {
    case 'strong':
      return inlineElements(token.tokens, { ...style, bold: true });
    case 'em':
      return inlineElements(token.tokens, { ...style, italic: true });
    case 'del':
      return inlineElements(token.tokens, { ...style, strike: true });
    case 'codespan':
      return text(token.text, { ...style, code: true });
    case 'link':
    case 'image':
      return link(token.href, withTitle(plainOf([token]) || token.text, token.title), style);
    case 'br':
      return text('\n', style);
    case 'checkbox':
      return text(token.checked ? '☑ ' : '☐ ', style);
    case 'text':
    case 'paragraph':
      return token.tokens ? inlineElements(token.tokens, style) : text(withoutEntities(token.text), style);
    case 'escape':
      return text(withoutEntities(token.text), style);
    default:
      return text(token.raw, style);
  }
}

/** Adds the title of a link, which rich text has no place for. Web pages show it when the pointer is over the link. */
function withTitle(label: string, title: string | null | undefined): string {
  return title ? `${label} “${withoutEntities(title)}”` : label;
}

export function isAddress(text: string): boolean {
  return OPENS.test(text) && text.length <= LONGEST_ADDRESS;
}

/** Shows the label as text and the address as the link, so that no label can hide where its link leads. */
function link(href: string, label: string, style: Style): RichTextElement[] {
  if (!isAddress(href)) return text(href === label ? label : `${label} (${href})`, style);
  const address: RichTextElement = { type: 'link', url: href, text: href, ...styled(style) };
  const isBare = label === '' || label === href || `mailto:${label}` === href || `http://${label}` === href;
  return isBare ? [address] : [...text(`${label} (`, style), address, ...text(')', style)];
}

function text(value: string, style: Style): RichTextElement[] {
  return value === '' ? [] : [{ type: 'text', text: value, ...styled(style) }];
}

function styled(style: Style): { style?: Style } {
  return Object.keys(style).length === 0 ? {} : { style };
}
