// The rules for a message: its blocks together, those that its Markdown makes, and its attachments.

import { lexer, type Token, type Tokens } from 'marked';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { checkBlocks, MOST_BLOCKS } from './blocks.ts';
import { MOST_CHARTS } from './data-visualization.ts';
import { withChildren } from './interactive.ts';
import {
  anything,
  BLOCK_KIT_DOCS,
  type BlockProblem,
  boolean,
  codePoints,
  type Fields,
  list,
  optional,
  type Report,
  type Rule,
  required,
  shape,
  string,
} from './rule.ts';
import { DATA_TABLE_LIMITS, TABLE_LIMITS } from './table.ts';
import { checkTasks } from './tasks.ts';

/** The total for all markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MARKDOWN_LIMIT = 12_000;

/** The length at which real messages fail with `msg_blocks_too_long`; Slack doesn't document the number. */
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
  return [...problems, ...checkTasks(blocks, pointer)];
}

/** A table is shown as an attachment, of which a message has one. https://docs.slack.dev/reference/block-kit/blocks/table-block */
export function checkTableCount(blocks: readonly Json[]): BlockProblem[] {
  const count = withChildren(blocks).filter(({ type }) => type === 'table').length;
  const documentation = `${BLOCK_KIT_DOCS}/blocks/table-block`;
  return count > 1 ? [{ pointer: '/blocks', message: 'only_one_table_allowed', documentation }] : [];
}

/** The blocks that Slack gave to one workspace after the other. */
export const NEW_BLOCK_TYPES = ['container', 'data_visualization'] as const;

export type NewBlock = (typeof NEW_BLOCK_TYPES)[number];

const ANNOUNCEMENTS: Record<NewBlock, string> = {
  container: 'https://docs.slack.dev/changelog/2026/06/29/block-kit-container-block',
  data_visualization: 'https://docs.slack.dev/changelog/2026/06/16/block-kit-data-visualization-block',
};

/** Refuses blocks that Slack hasn't given to this workspace yet. */
export function refuseNewBlocks(
  blocks: Json | undefined,
  missing: readonly NewBlock[],
  pointer = '/blocks',
): BlockProblem[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block, index) =>
    missing
      .filter((type) => isObject(block) && block.type === type)
      .map((type) => ({
        pointer: `${pointer}/${index}/type`,
        message: `unsupported type: ${type}`,
        documentation: ANNOUNCEMENTS[type],
      })),
  );
}

/** Validates the tables of a message together, once its markdown blocks are expanded. */
export function checkTables(expanded: Json[], pointer = '/blocks'): BlockProblem[] {
  const message = tableProblem(rowsOf(expanded, 'table'));
  const ofData = DATA_TABLE_LIMITS.characters;
  const isLong = blockTextLength(rowsOf(expanded, 'data_table')) > ofData;
  const page = (name: string) => `${BLOCK_KIT_DOCS}/blocks/${name}-block`;
  return [
    ...(message ? [{ pointer, message, documentation: page('table') }] : []),
    ...(isLong ? [{ pointer, message: tooLong('data tables', ofData), documentation: page('data-table') }] : []),
  ];
}

function tooLong(what: string, most: number): string {
  return `${what} must be less than ${most + 1} characters in total`;
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
  // Data tables have a limit of their own, which is higher.
  const others = blocks.filter((block) => stringAt(block, 'type') !== 'data_table');
  if (blockTextLength(others) <= BLOCK_TEXT_LIMIT) return null;
  return {
    code: 'msg_blocks_too_long',
    detail: `The blocks contain more than ${BLOCK_TEXT_LIMIT} characters of text; Slack does not document the limit.`,
    documentation: 'https://github.com/slackapi/bolt-js/issues/2509',
  };
}

function markdownLength(blocks: Json[]): number {
  const markdown = blocks.filter(isObject).filter(({ type }) => type === 'markdown');
  return markdown.reduce((sum, block) => sum + codePoints(stringAt(block, 'text') ?? ''), 0);
}

function rowsOf(blocks: Json[], table: 'table' | 'data_table'): Json[][] {
  return withChildren(blocks).flatMap(({ type, rows }) => (type === table && Array.isArray(rows) ? [rows] : []));
}

function tableProblem(tables: Json[][]): string | null {
  const { rows, columns, characters } = TABLE_LIMITS;
  if (blockTextLength(tables) > characters) return tooLong('tables', characters);
  if (tables.some((table) => table.length > rows)) return `no more than ${rows} rows allowed in a table`;
  const isWide = tables.flat().some((row) => Array.isArray(row) && row.length > columns);
  return isWide ? `no more than ${columns} columns allowed in a table` : null;
}

/** Measured: https://github.com/metabase/metabase/blob/323beec579f654865037e7cb214541d280eee1c2/src/metabase/slackbot/blocks.clj */
const COUNTED = ['text', 'alt_text'];

/** The number of characters that Slack counts in a message's blocks. */
export function blockTextLength(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + blockTextLength(item), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, held]) =>
      sum + (COUNTED.includes(key) && typeof held === 'string' ? codePoints(held) : blockTextLength(held)),
    0,
  );
}

const ATTACHMENT_DOCS = 'https://docs.slack.dev/messaging/formatting-message-text#attachments';

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export const MOST_ATTACHMENTS = 100;

const text = optional(string());

/** An attachment has these fields beside its blocks, and no others: https://github.com/slack-go/slack/pull/588 */
const WITH_BLOCKS: Rule = shape({ blocks: required(anything), color: text, fallback: text }, ATTACHMENT_DOCS);

const FIELD: Rule = shape({ title: text, value: text, short: optional(boolean) }, ATTACHMENT_DOCS);

/** The attachment fields that Slack shows. Anything else is kept, too. */
const LEGACY: Fields = {
  ...Object.fromEntries(
    ['fallback', 'color', 'pretext', 'text', 'title', 'title_link', 'footer', 'footer_icon', 'image_url', 'thumb_url']
      .concat('author_name', 'author_link', 'author_icon', 'author_subname', 'callback_id')
      .map((name) => [name, text]),
  ),
  fields: optional(list(FIELD, {})),
  mrkdwn_in: optional(list(string({ of: ['pretext', 'text', 'fields'] }), {})),
  ts: optional(timestamp),
  actions: optional(legacyActions),
};

/** Validates attachments. An empty list means that Slack accepts them. */
export function checkAttachments(attachments: readonly Json[]): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const report: Report = (pointer, message, documentation = ATTACHMENT_DOCS) =>
    problems.push({ pointer, message, documentation });
  attachments.forEach((attachment, index) => {
    const pointer = `/attachments/${index}`;
    if (hasBlocks(attachment)) {
      WITH_BLOCKS(attachment, pointer, report);
      const expanded = expandMarkdown(attachment.blocks);
      problems.push(...checkMessage(attachment.blocks, `${pointer}/blocks`));
      problems.push(...checkTables(expanded, `${pointer}/blocks`));
    } else checkLegacy(attachment, pointer, report);
  });
  return problems;
}

function hasBlocks(attachment: Json): attachment is { blocks: Json[] } {
  return isObject(attachment) && Array.isArray(attachment.blocks) && attachment.blocks.length > 0;
}

function checkLegacy(attachment: Json, pointer: string, report: Report): void {
  const fields = isObject(attachment) && Object.entries(attachment).filter(([name]) => name in LEGACY);
  shape(LEGACY, ATTACHMENT_DOCS)(fields ? Object.fromEntries(fields) : attachment, pointer, report);
}

function timestamp(value: Json, pointer: string, report: Report): void {
  if (!/^\d+(\.\d+)?$/.test(String(value))) report(pointer, 'must be a Unix timestamp');
}

function legacyActions(_: Json, pointer: string, report: Report): void {
  report(pointer, 'actions of attachments exist in Slack but are not supported by this workspace yet');
}

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
