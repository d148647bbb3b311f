import { messageJson } from '../api/message-json.ts';
import { messageChanged, messageDeleted } from '../interactions/message-events.ts';
import type { JsonObject } from '../json.ts';
import { findMessage, isReply, removeMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { markEdited } from './mark-edited.ts';
import { channelOf, type Workspace } from './workspace.ts';

/** Edits a message, and tells the app unless it is ephemeral: Slack doesn't store those. An edit notifies no one. */
export function changeMessage(workspace: Workspace, message: StoredMessage, change: Partial<StoredMessage>): void {
  const previous = messageJson(workspace, message);
  Object.assign(message, change);
  markEdited(workspace, message, change.blocks);
  if (message.onlyFor === undefined) tellOfChange(workspace, message, previous);
  workspace.touch();
}

/**
 * Deletes a message and tells the app. A root with replies remains as a tombstone, which the app hears of as a change, and
 * is gone with its last reply. https://github.com/slack-edge/slack-edge/pull/10, https://github.com/openclaw/openclaw/pull/22035
 */
export function deleteMessage(workspace: Workspace, message: StoredMessage): void {
  const previous = messageJson(workspace, message);
  const root = isReply(message) ? findMessage(workspace.state, message.channel, message.threadTs ?? '') : undefined;
  const previousRoot = root && messageJson(workspace, root);
  removeMessage(workspace.state, message);
  if (message.onlyFor === undefined) {
    if (message.tombstone) tellOfChange(workspace, message, previous);
    else tellOfDeletion(workspace, message, previous);
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
