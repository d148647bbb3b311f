import { type JsonObject, objectsAt } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';

/** Icon buttons may be shown to some members only. https://docs.slack.dev/reference/block-kit/block-elements/icon-button-element */
export function isShownTo(element: JsonObject, memberId: string): boolean {
  const only = element.visible_to_user_ids;
  return !Array.isArray(only) || only.length === 0 || only.includes(memberId);
}

/** A message's blocks without what it shows to others only. */
export function blocksSeenBy(memberId: string, blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'context_actions') return block;
    const elements = objectsAt(block, 'elements').filter((element) => isShownTo(element, memberId));
    return elements.length > 0 ? { ...block, elements } : [];
  });
}

export function attachmentSeenBy(memberId: string, attachment: Attachment): Attachment {
  return attachment.blocks ? { ...attachment, blocks: blocksSeenBy(memberId, attachment.blocks) } : attachment;
}
