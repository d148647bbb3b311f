import { isObject, type Json, stringAt } from '../json.ts';
import { checkBlocks } from './check-blocks.ts';
import { expandMarkdown } from './expand-markdown.ts';
import { BLOCK_KIT_DOCS, type BlockProblem } from './rule.ts';

/** The total for all markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MARKDOWN_LIMIT = 12_000;

/** https://docs.slack.dev/reference/block-kit/blocks */
const MESSAGE_BLOCKS = 50;

/** In the cells of all tables of a message, those of markdown blocks among them. https://docs.slack.dev/reference/block-kit/blocks/table-block */
const TABLE_LIMITS = { characters: 10_000, rows: 100, columns: 20 };

/** Where real messages fail with `msg_blocks_too_long`; Slack doesn't document the number. */
const BLOCK_TEXT_LIMIT = 13_200;

/** Validates a message's blocks. An empty list means that Slack accepts them. */
export function checkMessage(blocks: Json, pointer = '/blocks'): BlockProblem[] {
  const problems = checkBlocks(blocks, 'message', pointer);
  if (!Array.isArray(blocks)) return problems;
  const ofType = (type: string) => blocks.filter(isObject).filter((block) => block.type === type);
  const markdown = ofType('markdown').reduce((sum, block) => sum + (stringAt(block, 'text') ?? '').length, 0);
  if (markdown > MARKDOWN_LIMIT)
    problems.push({
      pointer,
      message: `markdown blocks must be less than ${MARKDOWN_LIMIT + 1} characters in total`,
      documentation: `${BLOCK_KIT_DOCS}/blocks/markdown-block`,
    });
  if (ofType('table').length > 1)
    problems.push({
      pointer,
      message: 'only_one_table_allowed',
      documentation: `${BLOCK_KIT_DOCS}/blocks/table-block`,
    });
  const table = tableProblem(tablesIn(blocks));
  if (table) problems.push({ pointer, message: table, documentation: `${BLOCK_KIT_DOCS}/blocks/table-block` });
  return problems;
}

/** Why valid blocks are too much for one message once Slack has translated the markdown blocks; null if they aren't. */
export function whyTooLong(blocks: Json[]): { detail: string; documentation: string } | null {
  const count = expandMarkdown(blocks).length;
  if (count > MESSAGE_BLOCKS)
    return {
      detail: `The markdown blocks make ${count} blocks of it; a message has at most ${MESSAGE_BLOCKS}.`,
      documentation: 'https://github.com/metabase/metabase/pull/79908',
    };
  if (blockTextLength(blocks) <= BLOCK_TEXT_LIMIT) return null;
  return {
    detail: `The blocks contain more than ${BLOCK_TEXT_LIMIT} characters of text; Slack does not document the limit.`,
    documentation: 'https://github.com/slackapi/bolt-js/issues/2509',
  };
}

function tablesIn(blocks: Json[]): Json[][] {
  return expandMarkdown(blocks)
    .filter(isObject)
    .flatMap(({ type, rows }) => (type === 'table' && Array.isArray(rows) ? [rows] : []));
}

function tableProblem(tables: Json[][]): string | null {
  const { characters, rows, columns } = TABLE_LIMITS;
  if (blockTextLength(tables) > characters) return `tables must be less than ${characters + 1} characters in total`;
  if (tables.some((table) => table.length > rows)) return `no more than ${rows} rows allowed in a table`;
  const isWide = tables.flat().some((row) => Array.isArray(row) && row.length > columns);
  return isWide ? `no more than ${columns} columns allowed in a table` : null;
}

/** The number of characters in the text of a message's blocks. */
export function blockTextLength(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + blockTextLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, held]) => sum + (key === 'text' && typeof held === 'string' ? held.length : blockTextLength(held)),
    0,
  );
}
