import { isObject, type Json, type JsonObject, objectAt, objectsAt } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';

/** An interactive element and the block that holds it. */
export type HeldElement = { block: JsonObject; element: JsonObject };

/** The interactive elements of a block, in reading order. */
export function elementsIn(block: JsonObject): JsonObject[] {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return objectsAt(block, 'elements');
    case 'section': {
      const accessory = objectAt(block, 'accessory');
      return accessory && accessory.type !== 'image' ? [accessory] : [];
    }
    case 'input': {
      const element = objectAt(block, 'element');
      return element ? [element] : [];
    }
    default:
      return [];
  }
}

/** The blocks that a block holds. */
export function childBlocks(block: JsonObject): JsonObject[] {
  switch (block.type) {
    case 'container':
      return objectsAt(block, 'child_blocks');
    case 'plan':
      return objectsAt(block, 'tasks');
    default:
      return [];
  }
}

/** Blocks and all that they hold, in reading order. */
export function withChildren(blocks: readonly Json[]): JsonObject[] {
  return blocks.filter(isObject).flatMap((block) => [block, ...childBlocks(block)]);
}

/** All interactive elements in a list of blocks. */
export function heldElements(blocks: readonly Json[]): HeldElement[] {
  return withChildren(blocks).flatMap((block) => elementsIn(block).map((element) => ({ block, element })));
}

/** The one of two feedback buttons that has this value. */
export function feedbackButton(element: JsonObject, value: string | undefined): JsonObject | undefined {
  const sides = [objectAt(element, 'positive_button'), objectAt(element, 'negative_button')];
  return sides.find((side) => side !== undefined && side.value === value);
}

/** All blocks of a message: its own, then those of its attachments. */
export function messageBlocks(message: { blocks: readonly Block[]; attachments?: readonly Attachment[] }): Block[] {
  return [...message.blocks, ...(message.attachments ?? []).flatMap(({ blocks = [] }) => blocks)];
}
