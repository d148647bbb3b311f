import { characterEnd } from '../../../core/text.ts';
import { type CodeFence, closeFence, openFenceAfter } from './code-fence.ts';
import { markdownSource } from './markdown-source.ts';

/** Room for closing a code block, whose marks are at most 100 long. */
const RESERVE = 200;

/**
 * Foreign text as Markdown that has at most `most` characters once it is escaped, cut at a sensible place, with its code
 * blocks closed. Empty where the text has nothing to show.
 */
export function cutMarkdown(text: string, most: number): { markdown: string; isCut: boolean } {
  // Escaping only makes a text longer, and neither it nor cleaning is worth the rest of a text of megabytes.
  const near = characterEnd(text, most * 4);
  const source = markdownSource(text, near);
  if (source.trim() === '') return { markdown: '', isCut: near < text.length };
  const end = sensibleEnd(source, escapedEnd(source, most - RESERVE));
  const isCut = near < text.length || source.slice(end).trim() !== '';
  return { markdown: closeFence(source.slice(0, end).trimEnd()), isCut };
}

/** How much of the source fits into `most` characters once it is escaped. */
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

/** One page of a long text. */
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

/** Where people would stop reading, best first. A match ends where the text may be cut. */
const STOPS = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["”’)]?\s/g, /\s/g];
/** An entity that the cut would split. */
const OPEN_ENTITY = /&(?:#?\w{0,31})$/;

/**
 * Where to cut a text that is longer than `at`: after a paragraph, a line, a sentence or a word, the first of these that
 * keeps more than half. Otherwise at `at`, but never within a character or an entity.
 */
export function sensibleEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const head = text.slice(0, at);
  for (const stop of STOPS) {
    const found = lastEnd(head, stop);
    if (found > at / 2) return found;
  }
  const entity = OPEN_ENTITY.exec(head);
  return characterEnd(text, entity && entity.index > 0 ? entity.index : at);
}

function lastEnd(head: string, pattern: RegExp): number {
  let last = 0;
  for (const match of head.matchAll(pattern)) last = match.index + match[0].length;
  return last;
}
