import { lexer, type Token, type Tokens } from 'marked';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';

/**
 * The blocks of a message as Slack counts them. It translates each markdown block first: every heading becomes a header,
 * every rule a divider, every table a table, and what lies between two of these one block. Slack documents only that there
 * may be several blocks (https://docs.slack.dev/reference/block-kit/blocks/markdown-block#usage-info); others measured which:
 * https://github.com/metabase/metabase/pull/79908, https://github.com/archestra-ai/archestra/pull/4980.
 */
export function expandMarkdown(blocks: Json[]): Json[] {
  return blocks.flatMap((block) =>
    isObject(block) && block.type === 'markdown' ? translated(stringAt(block, 'text') ?? '') : [block],
  );
}

function translated(markdown: string): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const token of tokensOf(markdown)) {
    const block = translatedToken(token);
    const continues = block.type === 'rich_text' && blocks.at(-1)?.type === 'rich_text';
    if (!continues) blocks.push(block);
  }
  return blocks;
}

// Text that is nested thousands of levels deep overflows the parser's stack.
function tokensOf(markdown: string): Token[] {
  try {
    return lexer(markdown).filter(({ type }) => type !== 'space');
  } catch {
    return [{ type: 'text', raw: markdown, text: markdown }];
  }
}

function translatedToken(token: Token): JsonObject {
  switch (token.type) {
    case 'heading':
      return { type: 'header' };
    case 'hr':
      return { type: 'divider' };
    case 'table':
      return { type: 'table', rows: tableRows(token as Tokens.Table) };
    default:
      return { type: 'rich_text' };
  }
}

function tableRows({ header, rows }: Tokens.Table): JsonObject[][] {
  return [header, ...rows].map((row) => row.map(({ text }) => ({ type: 'raw_text', text })));
}
