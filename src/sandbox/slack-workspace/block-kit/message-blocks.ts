import type { Attachment, Block } from '../people-api.ts';

/** All blocks of a message: its own, then those of its attachments. */
export function messageBlocks(message: { blocks: readonly Block[]; attachments?: readonly Attachment[] }): Block[] {
  return [...message.blocks, ...(message.attachments ?? []).flatMap(({ blocks = [] }) => blocks)];
}
