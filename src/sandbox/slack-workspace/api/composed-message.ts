import { checkMessage, checkTables, MARKDOWN_LIMIT, refuseCharts, whyTooLong } from '../block-kit/check-message.ts';
import { expandMarkdown } from '../block-kit/expand-markdown.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';
import { newId, type Workspace } from '../runtime/workspace.ts';
import { withIds } from '../state/block-ids.ts';
import { ApiError, blockError } from './api-error.ts';
import { jsonArg, textArg } from './arguments.ts';
import { attachmentsArg } from './checked-attachments.ts';

/** The validated content of a message. Omitted parts are undefined. */
export type ComposedMessage = {
  text: string | undefined;
  blocks: Block[] | undefined;
  attachments: Attachment[] | undefined;
  metadata: JsonObject | undefined;
};

/** Parses and validates `text`, `markdown_text`, `blocks`, `attachments` and `metadata`. */
export function composedMessage(workspace: Workspace, args: JsonObject): ComposedMessage {
  const text = textArg(args, 'text');
  const markdown = textArg(args, 'markdown_text');
  const given = jsonArg(args, 'blocks', 'invalid_blocks_format');
  if (markdown !== undefined && (text !== undefined || given !== undefined))
    throw new ApiError('markdown_text_conflict');
  if (markdown !== undefined && markdown.length > MARKDOWN_LIMIT) throw new ApiError('msg_too_long');
  const blocks = markdown === undefined ? given : [{ type: 'markdown', text: markdown }];
  return {
    text: text ?? markdown,
    blocks: blocks === undefined ? undefined : checkedBlocks(workspace, blocks),
    attachments: attachmentsArg(workspace, args),
    metadata: metadataArg(args),
  };
}

export function saysNothing({ text, blocks, attachments }: ComposedMessage): boolean {
  return !text && !blocks?.length && !attachments?.length;
}

/** Validates blocks and fills in their ids. Throws `invalid_blocks`, `msg_blocks_too_long` or `msg_too_long`. */
export function checkedBlocks(workspace: Workspace, blocks: Json): Block[] {
  if (!Array.isArray(blocks)) throw new ApiError('invalid_blocks_format');
  const expanded = expandMarkdown(blocks);
  const charts = workspace.features.charts === 'on' ? [] : refuseCharts(blocks);
  const problems = [...checkMessage(blocks), ...checkTables(expanded), ...charts];
  if (problems.length > 0) throw blockError('invalid_blocks', problems);
  const tooLong = whyTooLong(blocks, expanded);
  if (tooLong) throw new ApiError(tooLong.code, {}, [tooLong]);
  return withIds(blocks, () => newId(workspace, 'b').slice(-5));
}

/** https://docs.slack.dev/messaging/message-metadata */
function metadataArg(args: JsonObject): JsonObject | undefined {
  const metadata = jsonArg(args, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  const empty = isObject(metadata) && Object.keys(metadata).length === 0;
  if (empty) return {};
  if (!isObject(metadata) || stringAt(metadata, 'event_type') === undefined || !isObject(metadata.event_payload))
    throw new ApiError('invalid_metadata_format');
  return metadata;
}

/** `chat.update` accepts 4,000 bytes, counted after `&`, `<` and `>` are escaped. https://docs.slack.dev/reference/methods/chat.update */
export const UPDATE_TEXT_LIMIT_BYTES = 4000;

export function storedTextBytes(text: string): number {
  return Buffer.byteLength(text.replace(/&(?!(?:amp|lt|gt);)/g, '&amp;'));
}
