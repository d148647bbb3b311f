import type { JsonObject } from '../json.ts';
import { newTs, type Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply } from '../state/messages.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg } from './arguments.ts';
import { visibleChannel } from './channel-access.ts';
import { type ComposedMessage, composedMessage, storedTextBytes, UPDATE_TEXT_LIMIT_BYTES } from './composed-message.ts';
import { messageJson } from './message-json.ts';

/** `text` without `blocks` removes the blocks. https://docs.slack.dev/reference/methods/chat.update */
export function update(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = visibleChannel(workspace, requiredArg(args, 'channel'));
  const message = ownMessage(workspace, channel, requiredArg(args, 'ts'), 'cant_update_message');
  if (channel.isArchived) throw new ApiError('is_archived');
  const changes = composedMessage(workspace, args);
  if (changes.text === undefined && changes.blocks === undefined) throw new ApiError('no_text');
  if (storedTextBytes(changes.text ?? '') > UPDATE_TEXT_LIMIT_BYTES) throw new ApiError('msg_too_long');
  edit(workspace, message, changes);
  if (flagArg(args, 'reply_broadcast') && isReply(message)) message.broadcast = true;
  return { channel: channel.id, ts: message.ts, text: message.text, message: messageJson(workspace, message) };
}

/** One of the app's own messages. Ephemeral ones can't be found again. */
export function ownMessage(workspace: Workspace, channel: StoredChannel, ts: string, refusal: string): StoredMessage {
  const message = findMessage(workspace.state, channel.id, ts);
  if (!message || message.onlyFor !== undefined || message.tombstone) throw new ApiError('message_not_found');
  if (message.userId !== workspace.app.botUserId) throw new ApiError(refusal);
  return message;
}

/** An edit notifies no one, even if it mentions people. */
function edit(workspace: Workspace, message: StoredMessage, changes: ComposedMessage): void {
  const { text, blocks, metadata } = changes;
  if (text !== undefined) message.text = text;
  if (blocks !== undefined || text !== undefined) message.blocks = blocks ?? [];
  if (metadata && Object.keys(metadata).length > 0) message.metadata = metadata;
  else if (metadata) delete message.metadata;
  message.editedTs = newTs(workspace);
  workspace.touch();
}
