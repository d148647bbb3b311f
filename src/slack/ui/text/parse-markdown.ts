import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked';

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
  return new Lexer({ ...getDefaults(), tokenizer: new BoundedTokenizer() }).lex(markdown);
}
