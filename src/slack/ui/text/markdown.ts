import { getDefaults, Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import { cleanText, oneLine } from '../../../core/values/text.ts';
import { PARSED_LIMIT, parseJson, readableJson } from './json-text.ts';

/** How many characters the parser may look through for the ends of emphasis: some sixty times a page of a text. */
const MOST_LOOKED_THROUGH = 500_000;

/** For each mark of emphasis, the parser looks through all that follows, and again through what it finds. */
class BoundedTokenizer extends Tokenizer {
  #left = MOST_LOOKED_THROUGH;

  override emStrong(rest: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#mayLookThrough(rest) ? super.emStrong(rest, masked, before) : undefined;
  }

  override del(rest: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#mayLookThrough(rest) ? super.del(rest, masked, before) : undefined;
  }

  #mayLookThrough({ length }: string): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }
}

/** Foreign Markdown, taken apart. Where it is full of marks, they stay as they are. Throws where it is nested too deeply. */
export function parseMarkdown(markdown: string): Token[] {
  return lexer().lex(markdown);
}

/** The same of one line, within which nothing begins a block. */
export function parseLine(markdown: string): Token[] {
  return lexer().inlineTokens(markdown);
}

function lexer(): Lexer {
  return new Lexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() });
}

/** No view shows more than this. */
const LONGEST_READ = 1_000;

/**
 * The beginning of a Markdown text without its marks, a line for each block, for places that show no formatting. A heading
 * at the end, whose text was cut off, is left out.
 */
export function plainWords(markdown: string): string {
  const tokens = parsed(markdown.slice(0, LONGEST_READ));
  const last = tokens.at(-1);
  const shown = last?.type === 'heading' && tokens.length > 1 ? tokens.slice(0, -1) : tokens;
  return shown
    .map((token) => plainOf([token]).trim())
    .filter((line) => line !== '')
    .join('\n');
}

// Text that is nested thousands of levels deep overflows the parser's stack.
function parsed(markdown: string): Token[] {
  try {
    return parseMarkdown(markdown).filter(({ type }) => !['space', 'hr', 'def'].includes(type));
  } catch {
    return [{ type: 'text', raw: markdown, text: markdown }];
  }
}

/** The words of parsed Markdown, without its marks. */
export function plainOf(tokens: Token[]): string {
  return tokens.map((token) => plainToken(token as MarkedToken)).join('');
}

function plainToken(token: MarkedToken): string {
  switch (token.type) {
    case 'br':
      return '\n';
    case 'list':
      return token.items.map((item) => `• ${plainOf(item.tokens)}`).join('\n');
    case 'table':
      return [token.header, ...token.rows].map(rowOf).join('\n');
    case 'codespan':
    case 'code':
      return token.text;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? plainOf(token.tokens) : withoutEntities(token.text);
    default:
      return 'tokens' in token && token.tokens ? plainOf(token.tokens) : token.raw;
  }
}

function rowOf(cells: readonly Tokens.TableCell[]): string {
  return cells.map(({ tokens }) => plainOf(tokens)).join(' · ');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };

/** Text with the usual HTML entities as the characters that they stand for. */
export function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (found, name: string) => ENTITIES[name] ?? found);
}

/** A heading of a Markdown text. */
export interface Heading {
  /** Its words, with their marks. */
  markdown: string;
  /** Where its line begins. */
  at: number;
}

const LONGEST_TITLE = 200;

/** The headings of a text that begins within `open`, in their order. Lines that are all bold count, since crews write them so. */
export function headingsIn(markdown: string, open: CodeFence | null = null): Heading[] {
  const found: Heading[] = [];
  let fence = open;
  let at = 0;
  let before = { line: '', at: 0 };
  for (const line of markdown.split('\n')) {
    const isCode = fence !== null;
    fence = fenceAfterLine(line, fence);
    if (!isCode && fence === null) found.push(...headingAt(line, at, before));
    before = isCode || fence !== null ? { line: '', at } : { line, at };
    at += line.length + 1;
  }
  return found;
}

const MARKED = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/s;
const BOLD = /^ {0,3}(?:\*\*(?=\S)([^*]+)\*\*|__(?=\S)([^_]+)__):?\s*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
/** What an underline makes no heading of: nothing, another block, or a heading already. */
const NO_PARAGRAPH = /^\s*$|^ {0,3}(?:[#>|]|[-*+] |\d+[.)] )|^(?: {4}|\t)/;

/** https://spec.commonmark.org/0.31.2/#atx-headings */
function headingAt(line: string, at: number, before: { line: string; at: number }): Heading[] {
  const title = markedTitle(line) ?? BOLD.exec(line)?.slice(1).find(Boolean);
  if (title !== undefined) return headingOf(title, at);
  const isUnderlined = UNDERLINE.test(line) && !NO_PARAGRAPH.test(before.line) && !BOLD.test(before.line);
  return isUnderlined ? headingOf(before.line, before.at) : [];
}

/** What a line with the mark of a heading says, without the marks that may end it; null for any other line. */
export function markedTitle(line: string): string | null {
  const words = MARKED.exec(line)?.[1]?.trimEnd();
  if (words === undefined) return null;
  // A pattern would look through the same space again and again.
  let end = words.length;
  while (words[end - 1] === '#') end--;
  const isClosed = end < words.length && (end === 0 || /[ \t]/.test(words[end - 1] ?? ''));
  return isClosed ? words.slice(0, end).trimEnd() : words;
}

function headingOf(markdown: string, at: number): Heading[] {
  return markdown.trim() === '' ? [] : [{ markdown: markdown.trim(), at }];
}

/** The words of a heading without their marks, on one line. */
export function titleOf({ markdown }: Heading): string {
  // As the heading that it is: a number at its beginning makes no list.
  return oneLine(plainWords(`# ${markdown.slice(0, LONGEST_TITLE)}`)) || markdown;
}

/** Where a text ends that is cut at `end`, without headings whose text was cut off. */
export function withoutLastHeadings(markdown: string, end: number): number {
  let to = end;
  for (const { at } of headingsIn(markdown.slice(0, end)).reverse()) {
    const [, ...below] = markdown.slice(at, to).split('\n');
    if (at === 0 || !below.every((line) => line.trim() === '' || UNDERLINE.test(line))) return to;
    to = at;
  }
  return to;
}

/** A text as people read and edit it: JSON on lines of its own. */
export function readableText(text: string): string {
  return readableJson(text) ?? text;
}

/** The first `most` characters of foreign text as clean Markdown, with JSON as a code block. */
export function markdownSource(text: string, end = text.length, begin = 0): string {
  const cleaned = cleanText(text.slice(begin, end));
  return isJson(text) ? fenced(cleaned.trim()) : cleaned;
}

function isJson(text: string): boolean {
  if (!/^\s*(?:\{\s*["}]|\[)/.test(text) || !/[\]}]\s*$/.test(text.slice(-100))) return false;
  if (text.length > PARSED_LIMIT) return /^\s*(?:\{\s*"|\[\s*(?:\{\s*"|\[|"))/.test(text);
  return parseJson(text) !== null;
}

function fenced(code: string): string {
  const longest = Array.from(code.matchAll(/`+/g)).reduce((most, [marks]) => Math.max(most, marks.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}json\n${code}\n${marks}`;
}

/** A code block that a text has opened: the marks that close it, and the line that opened it. */
export interface CodeFence {
  marks: string;
  opening: string;
}

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,100}(?!`)|~{3,100}(?!~))(.*)$/;

/** What opens a code block. */
const MARKS = /`{3}|~{3}/;

/** The code block that is open at the end of a text, given the one that was open at its beginning. */
export function openFenceAfter(text: string, before: CodeFence | null = null): CodeFence | null {
  let open = before;
  for (const line of text.split('\n')) open = fenceAfterLine(line, open);
  return open;
}

/** Line by line as CommonMark does: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function fenceAfterLine(line: string, open: CodeFence | null): CodeFence | null {
  const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
  if (marks === '') return open;
  if (open) return closes(marks, rest, open) ? null : open;
  if (marks.startsWith('`') && rest.includes('`')) return null;
  return { marks, opening: `${marks}${rest.trimEnd()}` };
}

function closes(marks: string, rest: string, open: CodeFence): boolean {
  return marks[0] === open.marks[0] && marks.length >= open.marks.length && rest.trim() === '';
}

/** The text with its last code block closed. */
export function closeFence(text: string, before: CodeFence | null = null): string {
  if (before === null && !MARKS.test(text)) return text;
  const open = openFenceAfter(text, before);
  return open ? `${text}${text.endsWith('\n') ? '' : '\n'}${open.marks}` : text;
}
