import { isObject, type Json, stringAt } from '../json.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { checkBlocks, MOST_BLOCKS } from './check-blocks.ts';
import { MOST_CHARTS } from './data-visualization.ts';
import { BLOCK_KIT_DOCS, type BlockProblem } from './rule.ts';
import { TABLE_LIMITS } from './table.ts';

/** The total for all markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MARKDOWN_LIMIT = 12_000;

/** Where real messages fail with `msg_blocks_too_long`; Slack doesn't document the number. */
const BLOCK_TEXT_LIMIT = 13_200;

/** Validates a message's blocks. An empty list means that Slack accepts them. */
export function checkMessage(blocks: Json, pointer = '/blocks'): BlockProblem[] {
  const problems = checkBlocks(blocks, 'message', pointer);
  if (!Array.isArray(blocks)) return problems;
  const ofType = (type: string) => blocks.filter(isObject).filter((block) => block.type === type);
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
export function refuseCharts(blocks: Json | undefined, pointer = '/blocks'): BlockProblem[] {
  if (!Array.isArray(blocks)) return [];
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

/** Validates the tables of a message together, once its markdown blocks are expanded. */
export function checkTables(expanded: Json[], pointer = '/blocks'): BlockProblem[] {
  const message = tableProblem(tablesIn(expanded));
  return message ? [{ pointer, message, documentation: `${BLOCK_KIT_DOCS}/blocks/table-block` }] : [];
}

/** Why valid blocks are too much for one message, also once its markdown blocks are expanded; null if they aren't. */
export function whyTooLong(blocks: Json[], expanded: Json[]): BrokenRule | null {
  if (markdownLength(blocks) > MARKDOWN_LIMIT)
    return {
      code: 'msg_too_long',
      detail: `The markdown blocks have more than ${MARKDOWN_LIMIT} characters.`,
      documentation:
        'https://github.com/metabase/metabase/blob/323beec579f654865037e7cb214541d280eee1c2/src/metabase/slackbot/blocks.clj',
    };
  if (expanded.length > MOST_BLOCKS.message)
    return {
      code: 'msg_blocks_too_long',
      detail: `The markdown blocks make ${expanded.length} blocks of it; a message has at most ${MOST_BLOCKS.message}.`,
      documentation: 'https://github.com/metabase/metabase/pull/79908',
    };
  if (blockTextLength(blocks) <= BLOCK_TEXT_LIMIT) return null;
  return {
    code: 'msg_blocks_too_long',
    detail: `The blocks contain more than ${BLOCK_TEXT_LIMIT} characters of text; Slack does not document the limit.`,
    documentation: 'https://github.com/slackapi/bolt-js/issues/2509',
  };
}

function markdownLength(blocks: Json[]): number {
  const markdown = blocks.filter(isObject).filter(({ type }) => type === 'markdown');
  return markdown.reduce((sum, block) => sum + (stringAt(block, 'text') ?? '').length, 0);
}

function tablesIn(blocks: Json[]): Json[][] {
  return blocks.filter(isObject).flatMap(({ type, rows }) => (type === 'table' && Array.isArray(rows) ? [rows] : []));
}

function tableProblem(tables: Json[][]): string | null {
  const { rows, columns, characters } = TABLE_LIMITS;
  if (blockTextLength(tables) > characters) return `tables must be less than ${characters + 1} characters in total`;
  if (tables.some((table) => table.length > rows)) return `no more than ${rows} rows allowed in a table`;
  const isWide = tables.flat().some((row) => Array.isArray(row) && row.length > columns);
  return isWide ? `no more than ${columns} columns allowed in a table` : null;
}

/** As measured: https://github.com/metabase/metabase/blob/323beec579f654865037e7cb214541d280eee1c2/src/metabase/slackbot/blocks.clj */
const COUNTED = ['text', 'alt_text'];

/** The number of characters that Slack counts in a message's blocks. */
export function blockTextLength(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + blockTextLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, held]) =>
      sum + (COUNTED.includes(key) && typeof held === 'string' ? held.length : blockTextLength(held)),
    0,
  );
}
