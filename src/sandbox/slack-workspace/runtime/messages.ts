// Posts, changes and deletes messages, and notifies the app.

import { messageJson } from '../api/message-json.ts';
import { messageChanged, messageDeleted, messageEvent } from '../interactions/message-events.ts';
import { metadataEvent } from '../interactions/metadata-events.ts';
import type { JsonObject } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';
import { mentionedMembers } from '../state/mentions.ts';
import { findMessage, isReply, removeMessage } from '../state/messages.ts';
import type { ChannelNotice, StoredMessage } from '../state/workspace-state.ts';
import { channelOf, newTs, type Workspace } from './workspace.ts';

type NewMessage = {
  channel: string;
  userId: string;
  text: string;
  clientMsgId?: string;
  blocks?: Block[];
  attachments?: Attachment[];
  botId?: string;
  username?: string;
  threadTs?: string;
  broadcast?: boolean;
  onlyFor?: string;
  fileIds?: string[];
  metadata?: JsonObject;
  executionId?: string;
  notice?: ChannelNotice;
};

export function storeMessage(workspace: Workspace, message: NewMessage): StoredMessage {
  const channel = channelOf(workspace, message.channel);
  const blocks = message.blocks ?? [];
  const stored: StoredMessage = {
    fileIds: [],
    ...message,
    ts: newTs(workspace),
    blocks,
    broadcast: message.broadcast ?? false,
    tombstone: false,
    notifies: message.notice ? [] : mentionedMembers(workspace.state, channel, { ...message, blocks }),
    inputs: {},
  };
  workspace.state.messages.push(stored);
  if (stored.threadTs !== undefined && stored.onlyFor === undefined) startThread(workspace, stored);
  endStatus(workspace, stored);
  workspace.touch();
  if (stored.onlyFor === undefined) messageEvent(workspace, channel, stored);
  metadataEvent(workspace, stored, { before: undefined, after: stored.metadata });
  return stored;
}

/** The app's next message in a thread ends what it said that it was doing. */
function endStatus({ statuses, app }: Workspace, { channel, threadTs, userId, onlyFor }: StoredMessage): void {
  if (threadTs !== undefined && userId === app.botUserId && onlyFor === undefined)
    statuses.clear({ channel, threadTs });
}

/** A thread's root has its own `ts` as `thread_ts`. */
function startThread(workspace: Workspace, reply: StoredMessage): void {
  const root = findMessage(workspace.state, reply.channel, reply.threadTs ?? '');
  if (root) root.threadTs = root.ts;
}

/**
 * Edits a message, and tells the app unless it is ephemeral: Slack doesn't store those. An edit notifies no one. Empty
 * metadata removes it.
 */
export function changeMessage(workspace: Workspace, message: StoredMessage, change: Partial<StoredMessage>): void {
  const previous = messageJson(workspace, message);
  const { metadata } = message;
  Object.assign(message, change);
  if (change.metadata && Object.keys(change.metadata).length === 0) delete message.metadata;
  markEdited(workspace, message, change.blocks);
  if (message.onlyFor === undefined) tellOfChange(workspace, message, previous);
  metadataEvent(workspace, message, { before: metadata, after: message.metadata });
  workspace.touch();
}

/**
 * Deletes a message and notifies the app. A root with replies remains as a tombstone, which is a change for the app, and
 * is gone with its last reply. https://github.com/slack-edge/slack-edge/pull/10, https://github.com/openclaw/openclaw/pull/22035
 */
export function deleteMessage(workspace: Workspace, message: StoredMessage): void {
  const previous = messageJson(workspace, message);
  const root = isReply(message) ? findMessage(workspace.state, message.channel, message.threadTs ?? '') : undefined;
  const previousRoot = root && messageJson(workspace, root);
  const { metadata } = message;
  removeMessage(workspace.state, message);
  if (message.onlyFor === undefined) {
    if (message.tombstone) tellOfChange(workspace, message, previous);
    else tellOfDeletion(workspace, message, previous);
    metadataEvent(workspace, message, { before: metadata, after: undefined });
    if (root && previousRoot && !workspace.state.messages.includes(root)) tellOfDeletion(workspace, root, previousRoot);
  }
  workspace.touch();
}

function tellOfChange(workspace: Workspace, message: StoredMessage, previous: JsonObject): void {
  messageChanged(workspace, channelOf(workspace, message.channel), { message, previous });
}

function tellOfDeletion(workspace: Workspace, message: StoredMessage, previous: JsonObject): void {
  messageDeleted(workspace, channelOf(workspace, message.channel), { message, previous });
}

/**
 * Marks a message after an edit with these blocks: “If `blocks` are used and a message is being updated, the `edited`
 * flag will not be displayed on the message (the flag will be displayed on the message if using `text`).”
 * https://docs.slack.dev/reference/methods/chat.update
 */
function markEdited(workspace: Workspace, message: StoredMessage, blocks: readonly Block[] | undefined): void {
  if (message.onlyFor !== undefined || (blocks && blocks.length > 0)) delete message.editedTs;
  else message.editedTs = wholeSeconds(workspace.now());
}

/** Returns an instant for `edited.ts`, which is no `ts` of a message: https://docs.slack.dev/reference/events/message/message_changed */
function wholeSeconds(ms: number): string {
  return `${Math.floor(ms / 1000)}.000000`;
}
