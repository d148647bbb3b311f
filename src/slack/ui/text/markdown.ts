import { getDefaults, Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import { cleanText, oneLine } from '../../../core/values/text.ts';
import { PARSED_LIMIT, parseJson, readableJson } from './json-text.ts';

// Parses foreign Markdown with marked, and answers questions about it: its words, its headings, its open code block.

/** Characters that the parser may scan for the ends of emphasis: about sixty times a page of text. */
const SCAN_LIMIT = 500_000;

/** Limits a scan: marked reads all the text after each emphasis mark, and again the text between the marks. */
class BoundedTokenizer extends Tokenizer {
  #left = SCAN_LIMIT;

  override emStrong(rest: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#canScan(rest) ? super.emStrong(rest, masked, before) : undefined;
  }

  override del(rest: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#canScan(rest) ? super.del(rest, masked, before) : undefined;
  }

  #canScan({ length }: string): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }
}

/** Parses Markdown. Beyond the scan limit, emphasis marks stay as text. Throws if the text is nested too deeply. */
export function parseMarkdown(markdown: string): Token[] {
  return lexer().lex(markdown);
}

/** Parses a line, in which no block can begin. Throws if the text is nested too deeply. */
export function parseLine(markdown: string): Token[] {
  return lexer().inlineTokens(markdown);
}

function lexer(): Lexer {
  return new Lexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() });
}

/** No view shows more plain words of a text. */
const LONGEST_READ = 1_000;

/**
 * Returns the beginning of a Markdown text without its marks, a line for each block, for places that show no formatting. Leaves out a
 * heading at the end, because its text was cut off.
 */
export function plainWords(markdown: string): string {
  const tokens = blocksOf(markdown.slice(0, LONGEST_READ));
  if (tokens.at(-1)?.type === 'heading' && tokens.length > 1) tokens.pop();
  return tokens
    .map((token) => plainOf([token]).trim())
    .filter((line) => line !== '')
    .join('\n');
}

// A text that is nested thousands of levels deep overflows the parser's stack.
function blocksOf(markdown: string): Token[] {
  try {
    return parseMarkdown(markdown).filter(({ type }) => !['space', 'hr', 'def'].includes(type));
  } catch {
    return [{ type: 'text', raw: markdown, text: markdown }];
  }
}

/** Returns the words of parsed Markdown, without its marks. */
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

/** Replaces the usual HTML entities by the characters that they stand for. */
export function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

export interface Heading {
  markdown: string;
  at: number;
}

const LONGEST_TITLE = 200;

/** Returns the headings of a text, which begins within the code block `open`. Bold lines count: crews write headings so. */
export function headingsIn(markdown: string, open: CodeFence | null = null): Heading[] {
  const headings: Heading[] = [];
  let fence = open;
  let at = 0;
  let before = { line: '', at: 0 };
  for (const line of markdown.split('\n')) {
    const isCode = fence !== null;
    fence = fenceAfterLine(line, fence);
    if (!isCode && fence === null) headings.push(...headingAt(line, at, before));
    before = isCode || fence !== null ? { line: '', at } : { line, at };
    at += line.length + 1;
  }
  return headings;
}

const MARKED = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/s;
const BOLD = /^ {0,3}(?:\*\*(?=\S)([^*]+)\*\*|__(?=\S)([^_]+)__):?\s*$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
/** Lines that don't become a heading by an underline: an empty line, another block, or a heading. */
const NO_PARAGRAPH = /^\s*$|^ {0,3}(?:[#>|]|[-*+] |\d+[.)] )|^(?: {4}|\t)/;

/** https://spec.commonmark.org/0.31.2/#atx-headings */
function headingAt(line: string, at: number, before: { line: string; at: number }): Heading[] {
  const title = markedTitle(line) ?? BOLD.exec(line)?.slice(1).find(Boolean);
  if (title !== undefined) return headingOf(title, at);
  const isUnderlined = UNDERLINE.test(line) && !NO_PARAGRAPH.test(before.line) && !BOLD.test(before.line);
  return isUnderlined ? headingOf(before.line, before.at) : [];
}

/** Returns the text of a line that begins with heading marks, without the marks that may close it; null for any other line. */
export function markedTitle(line: string): string | null {
  const words = MARKED.exec(line)?.[1]?.trimEnd();
  if (words === undefined) return null;
  // A pattern would scan the same spaces again and again.
  let end = words.length;
  while (words[end - 1] === '#') end--;
  const isClosed = end < words.length && (end === 0 || /[ \t]/.test(words[end - 1] ?? ''));
  return isClosed ? words.slice(0, end).trimEnd() : words;
}

function headingOf(markdown: string, at: number): Heading[] {
  return markdown.trim() === '' ? [] : [{ markdown: markdown.trim(), at }];
}

/** Returns the words of a heading on one line, without their marks. */
export function titleOf({ markdown }: Heading): string {
  // The mark of a heading keeps a number at the beginning from making a list.
  return oneLine(plainWords(`# ${markdown.slice(0, LONGEST_TITLE)}`)) || markdown;
}

/** Returns where a text that is cut at `end` has to end, so that no heading stands there without the text below it. */
export function withoutLastHeadings(markdown: string, end: number): number {
  let to = end;
  for (const { at } of headingsIn(markdown.slice(0, end)).reverse()) {
    const [, ...below] = markdown.slice(at, to).split('\n');
    if (at === 0 || !below.every((line) => line.trim() === '' || UNDERLINE.test(line))) return to;
    to = at;
  }
  return to;
}

/** Returns a text as people read and edit it: JSON is indented. */
export function readableText(text: string): string {
  return readableJson(text) ?? text;
}

/** Returns a part of a foreign text as clean Markdown. JSON becomes a code block. */
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

/** An open code block: the marks that close it, and the line that opened it. */
export interface CodeFence {
  marks: string;
  opening: string;
}

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,100}(?!`)|~{3,100}(?!~))(.*)$/;

const MARKS = /`{3}|~{3}/;

/** Returns the code block that is open at the end of a text, given the one that was open at its beginning. */
export function openFenceAfter(text: string, before: CodeFence | null = null): CodeFence | null {
  let open = before;
  for (const line of text.split('\n')) open = fenceAfterLine(line, open);
  return open;
}

/** Returns the code block that is open after a line. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
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

/** Closes the last code block of a text if it is open. */
export function closeFence(text: string, before: CodeFence | null = null): string {
  if (before === null && !MARKS.test(text)) return text;
  const open = openFenceAfter(text, before);
  return open ? `${text}${text.endsWith('\n') ? '' : '\n'}${open.marks}` : text;
}
