// The content of the app's messages: text, blocks, attachments and metadata, as Slack accepts them.

import {
  checkAttachments,
  checkMessage,
  checkTableCount,
  checkTables,
  expandMarkdown,
  MARKDOWN_LIMIT,
  MOST_ATTACHMENTS,
  refuseNewBlocks,
  whyTooLong,
} from '../block-kit/check-message.ts';
import { compact, isObject, type Json, type JsonObject, objectsAt, stringAt } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';
import { newId, type Workspace } from '../runtime/workspace.ts';
import { storedBlocks } from '../state/stored-blocks.ts';
import { linkedNames } from '../state/typed-text.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { ApiError, blockError } from './api-error.ts';
import { flagArg, jsonArg, textArg } from './arguments.ts';
import { needScope } from './channel-access.ts';
import type { Remarks } from './method.ts';

type PostedContent = Pick<StoredMessage, 'userId' | 'text' | 'blocks'> &
  Partial<Pick<StoredMessage, 'botId' | 'attachments' | 'metadata' | 'username' | 'executionId'>>;

/** Returns the content of the app's message, and its author's name. Throws `no_text` if it is empty. */
export function postedContent(workspace: Workspace, args: JsonObject, remarks: Remarks): PostedContent {
  const { app } = workspace;
  const composed = composedMessage(workspace, args, remarks);
  if (saysNothing(composed)) throw new ApiError('no_text');
  const { text = '', blocks = [], attachments, metadata } = composed;
  const username = customName(workspace, args);
  return {
    userId: app.botUserId,
    botId: app.botId,
    text: postedText(workspace, text, args, remarks),
    blocks,
    ...(attachments && { attachments }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(username !== undefined && { username }),
    ...(remarks.executionId !== undefined && { executionId: remarks.executionId }),
  };
}

/** A custom name or icon needs `chat:write.customize`. */
export function customName(workspace: Workspace, args: JsonObject): string | undefined {
  const { username, icon_emoji, icon_url } = args;
  if (Object.keys(compact({ username, icon_emoji, icon_url })).length > 0) needScope(workspace, 'chat:write.customize');
  return textArg(args, 'username');
}

/** `link_names` and `parse=full` turn names into mentions; text over 40,000 characters is truncated. */
function postedText(workspace: Workspace, text: string, args: JsonObject, remarks: Remarks): string {
  const linking = flagArg(args, 'link_names') || textArg(args, 'parse') === 'full';
  const shortened = truncated(text, remarks);
  return linking ? linkedNames(workspace.state, shortened) : shortened;
}

/** The validated content of a message. Omitted parts are undefined. */
export type ComposedMessage = {
  text: string | undefined;
  blocks: Block[] | undefined;
  attachments: Attachment[] | undefined;
  metadata: JsonObject | undefined;
};

/** Parses and validates `text`, `markdown_text`, `blocks`, `attachments` and `metadata`. */
export function composedMessage(workspace: Workspace, args: JsonObject, remarks: Remarks): ComposedMessage {
  const text = textArg(args, 'text');
  const markdown = textArg(args, 'markdown_text');
  const value = jsonArg(args, 'blocks', 'invalid_blocks_format');
  if (markdown !== undefined && (text !== undefined || value !== undefined))
    throw new ApiError('markdown_text_conflict');
  if (markdown !== undefined && markdown.length > MARKDOWN_LIMIT) throw new ApiError('msg_too_long');
  const blocks = markdown === undefined ? value : [{ type: 'markdown', text: markdown }];
  const composed = {
    text: text ?? markdown,
    blocks: blocks === undefined ? undefined : checkedBlocks(workspace, blocks),
    attachments: attachmentsArg(workspace, args),
    metadata: metadataArg(args, remarks),
  };
  refuseSecondTable([...(composed.blocks ?? []), ...(composed.attachments ?? []).flatMap((one) => one.blocks ?? [])]);
  return composed;
}

export function saysNothing({ text, blocks, attachments }: ComposedMessage): boolean {
  return !text && !blocks?.length && !attachments?.length;
}

/**
 * Validates blocks and fills in their ids. Throws `invalid_blocks`, `invalid_attachments`, `msg_blocks_too_long` or
 * `msg_too_long`.
 */
export function checkedBlocks(workspace: Workspace, blocks: Json): Block[] {
  if (!Array.isArray(blocks)) throw new ApiError('invalid_blocks_format');
  const expanded = expandMarkdown(blocks);
  const refused = refuseNewBlocks(blocks, workspace.features.missingBlocks);
  const problems = [...checkMessage(blocks), ...checkTables(expanded), ...refused];
  if (problems.length > 0) throw blockError('invalid_blocks', problems);
  refuseSecondTable(blocks);
  const tooLong = whyTooLong(blocks, expanded);
  if (tooLong) throw new ApiError(tooLong.code, {}, [tooLong]);
  return storedBlocks(blocks, () => newId(workspace, 'b').slice(-5));
}

function refuseSecondTable(blocks: readonly Json[]): void {
  const problems = checkTableCount(blocks);
  if (problems.length > 0) throw blockError('invalid_attachments', problems);
}

/**
 * “Event types can contain letters, numbers, underscores, and hyphens, but not periods or other punctuation. Metadata with
 * an invalid `event_type` returns an `invalid_metadata_schema` warning and is ignored.”
 * https://docs.slack.dev/messaging/message-metadata
 */
function metadataArg(args: JsonObject, remarks: Remarks): JsonObject | undefined {
  const metadata = jsonArg(args, 'metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  const empty = isObject(metadata) && Object.keys(metadata).length === 0;
  if (empty) return {};
  const eventType = stringAt(metadata, 'event_type');
  if (!isObject(metadata) || eventType === undefined) throw new ApiError('invalid_metadata_format');
  if (!/^[\w-]+$/.test(eventType)) {
    remarks.warning({ code: 'invalid_metadata_schema' });
    return undefined;
  }
  if (!isObject(metadata.event_payload)) throw new ApiError('invalid_metadata_format');
  return metadata;
}

/** `chat.update` accepts 4,000 bytes, counted after `&`, `<` and `>` are escaped. https://docs.slack.dev/reference/methods/chat.update */
export const UPDATE_TEXT_LIMIT_BYTES = 4000;

export function storedTextBytes(text: string): number {
  return Buffer.byteLength(text.replace(/&(?!(?:amp|lt|gt);)/g, '&amp;'));
}

/**
 * Validates attachments, numbers them from 1, and fills in the ids of their blocks; undefined if there is no such
 * argument. Throws `too_many_attachments` or `invalid_attachments`.
 * https://docs.slack.dev/reference/methods/chat.update#errors
 */
function attachmentsArg(workspace: Workspace, args: JsonObject): Attachment[] | undefined {
  const value = jsonArg(args, 'attachments', 'invalid_attachments');
  if (value === undefined || value === false) return undefined;
  if (!Array.isArray(value)) throw new ApiError('invalid_attachments');
  if (value.length > MOST_ATTACHMENTS) throw new ApiError('too_many_attachments');
  const problems = checkAttachments(value);
  if (problems.length > 0) throw blockError('invalid_attachments', problems);
  return value.filter(isObject).map((attachment, index) => numbered(workspace, attachment, index + 1));
}

function numbered(workspace: Workspace, attachment: JsonObject, id: number): Attachment {
  const { blocks: _, ...rest } = structuredClone<{ [key: string]: Json }>(attachment);
  const blocks = storedBlocks(objectsAt(attachment, 'blocks'), () => newId(workspace, 'b').slice(-5));
  return { ...rest, id, ...(blocks.length > 0 && { blocks }) };
}

const MOST_TEXT = 40_000;
const TRUNCATION = 'https://docs.slack.dev/changelog/2018-truncating-really-long-messages';

/** The text as Slack posts it: cut at 40,000 characters, with a warning. */
export function truncated(text: string, remarks: Remarks): string {
  if (text.length <= MOST_TEXT) return text;
  remarks.rule({
    code: 'message_truncated',
    detail: `Text over ${MOST_TEXT} characters is truncated.`,
    documentation: TRUNCATION,
  });
  remarks.warning({
    code: 'message_truncated',
    message: 'Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.',
  });
  return text.slice(0, MOST_TEXT);
}
