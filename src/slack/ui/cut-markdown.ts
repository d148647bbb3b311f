import { characterEnd } from '../../core/values/cut.ts';
import { READABLE_LENGTH } from './limits.ts';
import {
  type CodeFence,
  closeFence,
  type Heading,
  headingsIn,
  markdownSource,
  openFenceAfter,
  withoutLastHeadings,
} from './text/markdown.ts';

/** A shorter line takes as much room as one of this length: messages are as high as they have lines. A heading stands apart. */
const LINE_LENGTH = 40;
const HEADING_LENGTH = 60;

/** Room for closing a code block, whose marks are at most 100 long. */
const RESERVE = 102;

/** The beginning of a foreign text, and what is left out. */
export interface CutMarkdown {
  /** Empty where the text has nothing to show. */
  markdown: string;
  isCut: boolean;
  /** How many characters of the text are shown. */
  shown: number;
  /** The headings that aren't shown. */
  left: Heading[];
}

/**
 * Foreign text as Markdown that has at most `most` characters once it is escaped, where each line counts as one of `LINE_LENGTH` at
 * least: whole if it fits, otherwise cut at a sensible place, with its code blocks closed.
 */
export function cutMarkdown(text: string, most: number): CutMarkdown {
  // Escaping only makes a text longer, and neither it nor cleaning is worth the rest of a text of megabytes.
  const near = characterEnd(text, most * 4);
  const beginning = sourceOf(text, near);
  const hidden = { shown: 0, left: [] };
  if (beginning.trim() === '') return { markdown: '', isCut: near < text.length, ...hidden };
  const whole = closeFence(beginning.trimEnd());
  if (near === text.length && roomOf(whole) <= most)
    return { markdown: whole, isCut: false, shown: text.length, left: [] };
  const source = near === text.length ? beginning : sourceOf(text, READABLE_LENGTH);
  const end = endWithin(source, most);
  const left = headingsIn(source.slice(end), openFenceAfter(source.slice(0, end)));
  const isCut = near < text.length || source.slice(end).trim() !== '';
  const shown = Math.min(source.slice(0, end).trimEnd().length, text.length);
  const kept = source.slice(0, end).trimEnd();
  const isWithinSentence = /^[ \t]*\S/.test(source.slice(kept.length)) && !SENTENCE_END.test(kept);
  const markdown = closeFence(isWithinSentence ? `${kept}${ELLIPSIS}` : kept);
  return { markdown, isCut, shown, left };
}

/** What is cut within a sentence would seem to end there: `5 fixed, 1`. */
const ELLIPSIS = ' …';
const SENTENCE_END = /[.!?…。！？]["”’)]?$/;

function sourceOf(text: string, most: number): string {
  return withAddresses(markdownSource(text, most));
}

function endWithin(source: string, most: number): number {
  const room = most - ELLIPSIS.length;
  const end = sensibleEnd(source, endOfRoom(source, room));
  const fits = roomOf(closeFence(source.slice(0, end).trimEnd())) <= room;
  return withoutLastHeadings(source, fits ? end : sensibleEnd(source, endOfRoom(source, room - RESERVE)));
}

/** How much room a text takes once it is escaped. */
function roomOf(source: string): number {
  const lines = source.split('\n');
  return lines.reduce((sum, line) => sum + roomOfLine(line), lines.length - 1);
}

function roomOfLine(line: string): number {
  const least = line.trim() === '' ? 0 : HEADING_MARK.test(line) ? HEADING_LENGTH : LINE_LENGTH;
  return Math.max(least, escapedLength(line));
}

const HEADING_MARK = /^ {0,3}#{1,6}[ \t]/;

/** How much of the source fits into a room. */
function endOfRoom(source: string, most: number): number {
  let end = 0;
  let left = most;
  for (const line of source.split('\n')) {
    const room = roomOfLine(line);
    if (room > left) return left < LINE_LENGTH ? end : end + escapedEnd(line, left);
    end += line.length + 1;
    left -= room + 1;
  }
  return source.length;
}

function escapedLength(source: string): number {
  return source.length + 3 * (source.match(/[<>]/g)?.length ?? 0);
}

/** How much of a line fits into `most` characters once it is escaped. */
function escapedEnd(source: string, most: number): number {
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    length += char === '<' || char === '>' ? 4 : 1;
    if (length > most) return i;
  }
  return source.length;
}

/** Small enough that a page with as much formatting as it can hold stays within `VIEW_BYTES`. */
const PAGE_LENGTH = 8_000;

export interface Page {
  text: string;
  /** The code block that the page begins in. */
  within: CodeFence | null;
}

/** The pages of a text, cut at sensible places; joined they are the whole text. An empty text has one empty page. */
export function pagesOf(text: string): Page[] {
  const pages: Page[] = [];
  let within: CodeFence | null = null;
  let rest = text;
  do {
    const page = rest.slice(0, sensibleEnd(rest, PAGE_LENGTH));
    pages.push({ text: page, within });
    within = openFenceAfter(page, within);
    rest = rest.slice(page.length);
  } while (rest !== '');
  return pages;
}

/** Where people would stop reading, best first, and how much of the room has to be used for it. A match ends at the stop. */
const STOPS: [RegExp, least: number][] = [
  [/\n\s*\n/g, 0.75],
  [/\n/g, 0.75],
  [/[.!?…。！？]["”’)]?\s/g, 0.5],
  [/\s/g, 0.5],
];
/** An entity that the cut would split. */
const OPEN_ENTITY = /&(?:#?\w{0,31})$/;

/**
 * Where to cut a text that is longer than `at`: after a paragraph, a line, a sentence or a word, the first of these that
 * wastes little room. Otherwise at `at`, but never within a character or an entity.
 */
export function sensibleEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const head = text.slice(0, at);
  for (const [stop, least] of STOPS) {
    const found = lastEnd(head, stop);
    if (found > at * least) return found;
  }
  const entity = OPEN_ENTITY.exec(head);
  return characterEnd(text, entity && entity.index > 0 ? entity.index : at);
}

function lastEnd(head: string, pattern: RegExp): number {
  let last = 0;
  for (const match of head.matchAll(pattern)) last = match.index + match[0].length;
  return last;
}

/**
 * Markdown whose links are their text, followed by the address: `[click](https://a.example)` could hide where it leads. Slack
 * makes a link of the address. Whatever else could be a link is split, so that it is read as it is.
 */
export function withAddresses(markdown: string): string {
  if (!markdown.includes('[')) return markdown;
  let marks = '';
  const lines = markdown.split('\n').map((line) => {
    const isCode = marks !== '';
    marks = isCode ? afterCode(line, marks) : (OPENS.exec(line)?.[1] ?? '');
    return isCode ? line : lineWithAddresses(line);
  });
  return lines.join('\n');
}

/** Only what no list or quote can hold counts as code, since the end of those would end it unnoticed. */
const OPENS = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function afterCode(line: string, opening: string): string {
  const closing = CLOSES.exec(line)?.[1] ?? '';
  return closing.startsWith(opening) ? '' : opening;
}

const LINK = /!?\[([^[\]]{0,500})\]\(([^\s()]{1,2000})\)/g;

/** What a line has between backticks may be code or not, so that only the marks of links are split there. */
function lineWithAddresses(line: string): string {
  const shown = line.includes('`') ? line : line.replace(LINK, labelled).replace(LINK, labelled);
  return shown.replaceAll('](', '] (').replaceAll(']:', '] :');
}

function labelled(_: string, label: string, address: string): string {
  const isAddress = label === address || `mailto:${label}` === address;
  return label.trim() === '' || isAddress ? address : `${label} (${address})`;
}
