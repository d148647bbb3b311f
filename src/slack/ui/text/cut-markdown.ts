import { characterEnd } from '../../../core/text.ts';
import { READABLE_LENGTH } from '../limits.ts';
import { closeFence, openFenceAfter } from './code-fence.ts';
import { type Heading, headingsIn, withoutLastHeadings } from './headings.ts';
import { markdownSource } from './markdown-source.ts';
import { sensibleEnd } from './sensible-end.ts';
import { withAddresses } from './with-addresses.ts';

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
 * Foreign text as Markdown that has at most `most` characters once it is escaped: whole if it fits, otherwise cut at a sensible
 * place, with its code blocks closed.
 */
export function cutMarkdown(text: string, most: number): CutMarkdown {
  // Escaping only makes a text longer, and neither it nor cleaning is worth the rest of a text of megabytes.
  const near = characterEnd(text, most * 4);
  const beginning = sourceOf(text, near);
  const hidden = { shown: 0, left: [] };
  if (beginning.trim() === '') return { markdown: '', isCut: near < text.length, ...hidden };
  const whole = closeFence(beginning.trimEnd());
  if (near === text.length && escapedLength(whole) <= most)
    return { markdown: whole, isCut: false, shown: text.length, left: [] };
  const source = near === text.length ? beginning : sourceOf(text, READABLE_LENGTH);
  const end = endWithin(source, most);
  const left = headingsIn(source.slice(end), openFenceAfter(source.slice(0, end)));
  const isCut = near < text.length || source.slice(end).trim() !== '';
  const shown = Math.min(source.slice(0, end).trimEnd().length, text.length);
  const markdown = closeFence(source.slice(0, end).trimEnd());
  return { markdown, isCut, shown, left };
}

function sourceOf(text: string, most: number): string {
  return withAddresses(markdownSource(text, most));
}

function endWithin(source: string, most: number): number {
  const end = sensibleEnd(source, escapedEnd(source, most));
  const fits = escapedLength(closeFence(source.slice(0, end).trimEnd())) <= most;
  return withoutLastHeadings(source, fits ? end : sensibleEnd(source, escapedEnd(source, most - RESERVE)));
}

function escapedLength(source: string): number {
  return source.length + 3 * (source.match(/[<>]/g)?.length ?? 0);
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
