import type { JsonObject } from '../json.ts';
import { changeMessage } from '../runtime/change-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply } from '../state/messages.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { flagArg, requiredArg } from './arguments.ts';
import { channelArg } from './channel-access.ts';
import { type ComposedMessage, composedMessage, storedTextBytes, UPDATE_TEXT_LIMIT_BYTES } from './composed-message.ts';
import { messageJson } from './message-json.ts';

/**
 * `text` without `blocks` removes the blocks. https://docs.slack.dev/reference/methods/chat.update
 * A channel's name is not enough: https://github.com/slackapi/python-slack-sdk/issues/696
 */
export function update(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  const message = ownMessage(workspace, channel, requiredArg(args, 'ts'), 'cant_update_message');
  if (channel.isArchived) throw new ApiError('is_inactive');
  if (!isEditable(workspace, message)) throw new ApiError('edit_window_closed');
  refuseUnsupported(args);
  const changes = composedMessage(workspace, args);
  if ([changes.text, changes.blocks, changes.attachments].every((part) => part === undefined))
    throw new ApiError('no_text');
  if (storedTextBytes(changes.text ?? '') > UPDATE_TEXT_LIMIT_BYTES) throw new ApiError('msg_too_long');
  edit(workspace, message, changes);
  if (flagArg(args, 'reply_broadcast') && isReply(message)) message.broadcast = true;
  return { channel: channel.id, ts: message.ts, text: message.text, message: messageJson(workspace, message) };
}

/** By a setting of the workspace: https://slack.com/help/articles/202395258-Edit-or-delete-messages */
function isEditable({ features: { editWindowMs }, now }: Workspace, { ts }: StoredMessage): boolean {
  return editWindowMs === null || now() - Number(ts) * 1_000 <= editWindowMs;
}

function refuseUnsupported(args: JsonObject): void {
  const found = ['file_ids', 'unfurled_attachments'].find((name) => (args[name] ?? '') !== '');
  if (found) throw argumentError(`${found} exists in Slack but is not supported by this workspace yet`);
}

/** One of the app's own messages. Ephemeral ones can't be found again. */
export function ownMessage(workspace: Workspace, channel: StoredChannel, ts: string, refusal: string): StoredMessage {
  const message = findMessage(workspace.state, channel.id, ts);
  if (!message || message.onlyFor !== undefined || message.tombstone) throw new ApiError('message_not_found');
  if (message.userId !== workspace.app.botUserId) throw new ApiError(refusal);
  return message;
}

/**
 * An edit notifies no one, even if it mentions people. Attachments stay unless others, or an empty list, are given.
 * https://github.com/slackapi/slack-api-specs/blob/master/web-api/slack_web_openapi_v2.json
 */
function edit(workspace: Workspace, message: StoredMessage, changes: ComposedMessage): void {
  const { text, blocks, attachments, metadata } = changes;
  if (metadata && Object.keys(metadata).length === 0) delete message.metadata;
  changeMessage(workspace, message, {
    ...(text !== undefined && { text }),
    ...(attachments && { attachments }),
    ...((blocks !== undefined || text !== undefined) && { blocks: blocks ?? [] }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  });
}
