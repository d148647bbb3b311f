import type { MarkedToken, Token } from 'marked';
import { parseMarkdown } from './parse-markdown.ts';

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

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };

/** Text with the usual HTML entities as the characters that they stand for. */
export function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (found, name: string) => ENTITIES[name] ?? found);
}
