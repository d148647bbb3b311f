import { closeFence } from './code-fence.ts';
import { charEnd } from './cut.ts';
import { escapeMarkdown } from './escape.ts';
import { markdownSource } from './markdown-source.ts';
import { sensibleEnd } from './sensible-end.ts';

/** Room for closing a code block, whose marks are at most 100 long. */
const RESERVE = 200;

/**
 * Text from outside for a markdown block: escaped, at most `most` characters, cut at a sensible place, with its code
 * blocks closed. Empty where the text has nothing to show.
 */
export function cutMarkdown(text: string, most: number): { text: string; isCut: boolean } {
  // Escaping and cleaning are for what can be shown: escaping only makes a text longer.
  const near = charEnd(text, most * 4);
  const source = markdownSource(text, near);
  if (source.trim() === '') return { text: '', isCut: near < text.length };
  const end = sensibleEnd(source, escapedEnd(source, most - RESERVE));
  const isCut = near < text.length || source.slice(end).trim() !== '';
  return { text: escapeMarkdown(closeFence(source.slice(0, end).trimEnd())), isCut };
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
