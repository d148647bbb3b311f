import { isObject, type Json, stringAt } from '../json.ts';
import { checkBlocks } from './check-blocks.ts';
import { BLOCK_KIT_DOCS, type BlockProblem } from './rule.ts';

/** The total for all markdown blocks of a message. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
export const MARKDOWN_LIMIT = 12_000;

/** Where real messages fail with `msg_blocks_too_long`; Slack doesn't document the number. */
export const BLOCK_TEXT_LIMIT = 13_200;

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
  return problems;
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
