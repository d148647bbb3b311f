import { isObject, type Json, stringAt } from '../json.ts';
import { TABLE_LIMITS } from './blocks.ts';
import { checkBlocks, MOST_BLOCKS } from './check-blocks.ts';
import { MOST_CHARTS } from './data-visualization.ts';
import { BLOCK_KIT_DOCS, type BlockProblem } from './rule.ts';

/** The total for all markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MARKDOWN_LIMIT = 12_000;

/** In the cells of all tables of a message together. https://docs.slack.dev/reference/block-kit/blocks/table-block */
const TABLE_TEXT_LIMIT = 10_000;

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
  if (ofType('data_visualization').length > MOST_CHARTS)
    problems.push({
      pointer,
      message: `no more than ${MOST_CHARTS} data_visualization blocks allowed`,
      documentation: `${BLOCK_KIT_DOCS}/blocks/data-visualization-block`,
    });
  if (ofType('table').length > 1)
    problems.push({
      pointer,
      message: 'only_one_table_allowed',
      documentation: `${BLOCK_KIT_DOCS}/blocks/table-block`,
    });
  return problems;
}

/** What a workspace that Slack hasn't given charts yet says of them. */
export function refuseCharts(blocks: Json[], pointer = '/blocks'): BlockProblem[] {
  return blocks.flatMap((block, index) =>
    isObject(block) && block.type === 'data_visualization'
      ? {
          pointer: `${pointer}/${index}/type`,
          message: 'unsupported type: data_visualization',
          documentation: 'https://docs.slack.dev/changelog/2026/06/16/block-kit-data-visualization-block',
        }
      : [],
  );
}

/** Validates the tables of a message, once its markdown blocks are expanded. */
export function checkTables(expanded: Json[], pointer = '/blocks'): BlockProblem[] {
  const message = tableProblem(tablesIn(expanded));
  return message ? [{ pointer, message, documentation: `${BLOCK_KIT_DOCS}/blocks/table-block` }] : [];
}

/** Why valid blocks are too much for one message, also once its markdown blocks are expanded; null if they aren't. */
export function whyTooLong(blocks: Json[], expanded: Json[]): { detail: string; documentation: string } | null {
  if (expanded.length > MOST_BLOCKS.message)
    return {
      detail: `The markdown blocks make ${expanded.length} blocks of it; a message has at most ${MOST_BLOCKS.message}.`,
      documentation: 'https://github.com/metabase/metabase/pull/79908',
    };
  if (blockTextLength(blocks) <= BLOCK_TEXT_LIMIT) return null;
  return {
    detail: `The blocks contain more than ${BLOCK_TEXT_LIMIT} characters of text; Slack does not document the limit.`,
    documentation: 'https://github.com/slackapi/bolt-js/issues/2509',
  };
}

function tablesIn(blocks: Json[]): Json[][] {
  return blocks.filter(isObject).flatMap(({ type, rows }) => (type === 'table' && Array.isArray(rows) ? [rows] : []));
}

function tableProblem(tables: Json[][]): string | null {
  const { rows, columns } = TABLE_LIMITS;
  if (blockTextLength(tables) > TABLE_TEXT_LIMIT)
    return `tables must be less than ${TABLE_TEXT_LIMIT + 1} characters in total`;
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
