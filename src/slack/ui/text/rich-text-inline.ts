import type { RichTextElement, RichTextText } from '@slack/types';
import type { MarkedToken, Token } from 'marked';
import { plainOf, withoutEntities } from './plain-words.ts';

type Style = NonNullable<RichTextText['style']>;

/** Addresses that a click may open. */
const OPENS = /^(?:https?:\/\/|mailto:)\S+$/i;
const LONGEST_ADDRESS = 2_000;

/** A line of Markdown as rich text in the given style. */
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

/** Web pages show a title when the pointer is over the link; rich text has no place for it. */
function withTitle(label: string, title: string | null | undefined): string {
  return title ? `${label} “${withoutEntities(title)}”` : label;
}

/** The label as text and the address as the link, so that no label can hide where its link leads. */
function link(href: string, label: string, style: Style): RichTextElement[] {
  if (!OPENS.test(href) || href.length > LONGEST_ADDRESS)
    return text(href === label ? label : `${label} (${href})`, style);
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
