import type { RichTextBlock, RichTextElement, RichTextList, RichTextSection } from '@slack/types';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { VIEW_BYTES } from '../limits.ts';
import { keepsWords } from './keeps-words.ts';
import { inlineElements, plainOf } from './rich-text-inline.ts';
import { tableLines } from './table-lines.ts';

type Element = RichTextBlock['elements'][number];

/** Leaves room for everything else in the view. */
const MOST_BYTES = VIEW_BYTES - 70_000;
/** Deeper lists stay at this depth, where they can still be read. */
const MOST_INDENT = 6;

/**
 * Markdown from outside as rich text, for modals, which know no markdown block. Nothing in rich text is ever parsed, so
 * that nothing in it is live but links, whose addresses are always shown. What can't be rendered is shown as it is.
 */
export function richText(markdown: string): RichTextBlock[] {
  if (markdown.trim() === '') return [];
  const elements = render(markdown) ?? [asIs(markdown)];
  const block: RichTextBlock = { type: 'rich_text', elements };
  const isTooHeavy = Buffer.byteLength(JSON.stringify(block)) > MOST_BYTES;
  return [isTooHeavy ? { type: 'rich_text', elements: [asIs(markdown)] } : block];
}

// Text that is nested thousands of levels deep ends the parser's stack.
function render(markdown: string): Element[] | null {
  try {
    const elements = blocks(lexer(markdown), 0);
    return elements.length > 0 ? elements : null;
  } catch {
    return null;
  }
}

function asIs(text: string): Element {
  return { type: 'rich_text_preformatted', elements: [{ type: 'text', text }] };
}

function blocks(tokens: Token[], indent: number): Element[] {
  return tokens.flatMap((token, i) => {
    const elements = block(token as MarkedToken, indent);
    return token.type === 'heading' && i > 0 ? apart(elements) : elements;
  });
}

/** A heading stands apart from what comes before it; Slack itself leaves no room between the parts of a text. */
function apart(elements: Element[]): Element[] {
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
      return table(token);
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

/** Slack knows no lists within lists, only lists that are further in: what an item holds ends its list, and another goes on. */
function list(token: Tokens.List, indent: number): Element[] {
  const first = typeof token.start === 'number' ? token.start : 1;
  const elements: Element[] = [];
  let open: RichTextList | null = null;
  for (const [i, item] of token.items.entries()) {
    const [own, inner] = partition(item.tokens, isInlineOfItem);
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

function isInlineOfItem({ type }: Token): boolean {
  return type === 'text' || type === 'paragraph' || type === 'checkbox';
}

function partition<Item>(items: Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** The name of a language behind the marks is left out; what is more than that is text. */
function code({ lang = '', text, raw }: Tokens.Code): Element[] {
  if (!/^[\w.+#-]{0,20}$/.test(lang)) return [asIs(raw.trimEnd())];
  return text === '' ? [] : [asIs(text)];
}

/** A table has no place for where its links lead, nor for more cells than its head has. */
function table(token: Tokens.Table): Element[] {
  const lines = tableLines(token);
  return [asIs(keepsWords(token.raw, lines) ? lines : token.raw.trimEnd())];
}

function quote(token: Tokens.Blockquote): Element[] {
  const plain = token.tokens
    .map((inner) => plainOf([inner]))
    .join('\n')
    .trim();
  const text = keepsWords(token.raw, plain) ? plain : token.raw.replace(/^ {0,3}> ?/gm, '').trim();
  return text === '' ? [] : [{ type: 'rich_text_quote', elements: [{ type: 'text', text }] }];
}
