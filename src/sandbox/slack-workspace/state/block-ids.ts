import { elementsIn } from '../block-kit/interactive.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Block } from '../people-api.ts';

/** Fills in the `block_id`s and `action_id`s that the app left out, as Slack does. Blocks must have been checked. */
export function withIds(blocks: readonly Json[], newId: () => string): Block[] {
  return structuredClone(blocks as Json[])
    .filter(isObject)
    .map((block) => {
      for (const element of elementsIn(block)) if (needsActionId(element)) element.action_id = newId();
      return {
        ...block,
        type: String(block.type),
        block_id: typeof block.block_id === 'string' ? block.block_id : newId(),
      };
    });
}

function needsActionId(element: JsonObject): boolean {
  return typeof element.action_id !== 'string';
}
