import { lexer, type Token } from 'marked';
import { plainOf } from './rich-text-inline.ts';

/** The parser takes ever longer for what looks like much emphasis; nobody shows more than this without formatting. */
const LONGEST_READ = 1_000;

/**
 * The beginning of a Markdown text as plain words, a line for each of its blocks, for places that show no formatting. A
 * heading at the end, whose text was cut off, is left out.
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

// Text that is nested thousands of levels deep ends the parser's stack.
function parsed(markdown: string): Token[] {
  try {
    return lexer(markdown).filter(({ type }) => !['space', 'hr', 'def'].includes(type));
  } catch {
    return [{ type: 'text', raw: markdown, text: markdown }];
  }
}
