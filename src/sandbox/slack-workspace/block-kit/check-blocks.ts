import { isObject, type Json, stringAt } from '../json.ts';
import { blockRule } from './blocks.ts';
import { elementsIn } from './interactive.ts';
import { BLOCK_KIT_DOCS, type BlockProblem, list, type Report } from './rule.ts';
import type { Surface } from './surface.ts';

/** https://docs.slack.dev/reference/block-kit/blocks */
export const MOST_BLOCKS: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };

/** Validates a list of blocks on a surface. */
export function checkBlocks(blocks: Json, surface: Surface, pointer: string): BlockProblem[] {
  const problems: BlockProblem[] = [];
  const report: Report = (at, message, documentation) =>
    problems.push({ pointer: at, message, documentation: documentation ?? `${BLOCK_KIT_DOCS}/blocks` });
  list(blockRule(surface), { max: MOST_BLOCKS[surface] })(blocks, pointer, report);
  if (Array.isArray(blocks)) {
    reportRepeatedIds(blocks, pointer, report);
    reportSecondFocus(blocks, pointer, report);
  }
  return problems;
}

/** A `block_id` must be unique in its message or view, an `action_id` in its block. */
function reportRepeatedIds(blocks: Json[], pointer: string, report: Report): void {
  const blockIds = new Set<string>();
  blocks.forEach((block, index) => {
    if (!isObject(block)) return;
    // The id of a markdown block is ignored: https://docs.slack.dev/reference/block-kit/blocks/markdown-block
    const blockId = block.type === 'markdown' ? undefined : stringAt(block, 'block_id');
    if (blockId !== undefined && blockIds.has(blockId))
      report(`${pointer}/${index}/block_id`, `\`block_id\` "${blockId}" already exists`);
    if (blockId !== undefined) blockIds.add(blockId);
    const actionIds = elementsIn(block).flatMap((element) => stringAt(element, 'action_id') ?? []);
    for (const repeated of new Set(actionIds.filter((id, at) => actionIds.indexOf(id) !== at)))
      report(`${pointer}/${index}/elements`, `\`action_id\` "${repeated}" already exists for another element`);
  });
}

/** Only one element may have `focus_on_load`. */
function reportSecondFocus(blocks: Json[], pointer: string, report: Report): void {
  const focused = blocks
    .filter(isObject)
    .flatMap(elementsIn)
    .filter((element) => element.focus_on_load === true);
  if (focused.length > 1) report(pointer, 'only one element can have focus_on_load set to true');
}
