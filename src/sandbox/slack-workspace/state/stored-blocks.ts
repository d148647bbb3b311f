import { childBlocks, heldElements } from '../block-kit/interactive.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { Block } from '../people-api.ts';

/** Valid blocks as Slack keeps them, with the ids and settings filled in that were left out. */
export function storedBlocks(blocks: readonly Json[], newId: () => string): Block[] {
  return blocks.filter(isObject).map((block) => stored(withDefaults(block), newId));
}

function stored(block: JsonObject, newId: () => string): Block {
  for (const { element } of heldElements([block]))
    if (typeof element.action_id !== 'string') element.action_id = newId();
  for (const child of childBlocks(block)) child.block_id = givenId(child) ?? newId();
  return {
    ...block,
    type: String(block.type),
    block_id: givenId(block) ?? newId(),
  };
}

/** The id of a markdown block isn't kept. https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
function givenId(block: JsonObject): string | undefined {
  return block.type === 'markdown' ? undefined : stringAt(block, 'block_id');
}

/**
 * A copy in which text objects say whether they have emoji and are verbatim, and input blocks whether they are optional
 * and dispatch: the examples of https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload say all of
 * it. A text of a table or rich text is no text object.
 */
export function withDefaults<Value extends Json>(value: Value): Value;
export function withDefaults(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => withDefaults(item));
  if (!isObject(value)) return value;
  const copy: JsonObject = { ...defaultsOf(value) };
  for (const [name, held] of Object.entries(value)) copy[name] = withDefaults(held);
  return copy;
}

function defaultsOf({ type }: JsonObject): JsonObject {
  switch (type) {
    case 'plain_text':
      return { emoji: true };
    case 'mrkdwn':
      return { verbatim: false };
    case 'input':
      return { optional: false, dispatch_action: false };
    default:
      return {};
  }
}
