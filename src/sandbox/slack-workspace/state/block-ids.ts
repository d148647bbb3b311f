import { elementsIn } from '../block-kit/interactive.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { Block } from '../people-api.ts';

/** Fills in missing `block_id`s and `action_id`s, as Slack does. Blocks must be valid. */
export function withIds(blocks: readonly Json[], newId: () => string): Block[] {
  return structuredClone(blocks as Json[])
    .filter(isObject)
    .map((block) => {
      for (const element of elementsIn(block)) if (needsActionId(element)) element.action_id = newId();
      return {
        ...block,
        type: String(block.type),
        block_id: givenId(block) ?? newId(),
      };
    });
}

/** The id of a markdown block isn't kept. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
function givenId(block: JsonObject): string | undefined {
  return block.type === 'markdown' ? undefined : stringAt(block, 'block_id');
}

function needsActionId(element: JsonObject): boolean {
  return typeof element.action_id !== 'string';
}
