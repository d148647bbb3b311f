// chat.*: messages of the app, posted, edited and deleted.

import type { JsonObject } from '../json.ts';
import { changeMessage, deleteMessage, storeMessage } from '../runtime/messages.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply, repliesOf, rootTsOf } from '../state/messages.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import { channelArg, memberChannel, writableChannel } from './channel-access.ts';
import {
  type ComposedMessage,
  composedMessage,
  postedContent,
  storedTextBytes,
  UPDATE_TEXT_LIMIT_BYTES,
} from './message-content.ts';
import { messageJson } from './message-json.ts';
import type { ApiMethods, Remarks } from './method.ts';

const write = { token: 'bot', scopes: ['chat:write'], takesJson: true } as const;

export const CHAT_METHODS: ApiMethods = {
  'chat.postMessage': { ...write, tier: 'per-channel', limitedBy: (args) => String(args.channel), run: postMessage },
  'chat.update': { ...write, tier: 'tier3', run: update },
  'chat.delete': { ...write, tier: 'tier3', run: remove },
  'chat.postEphemeral': { ...write, tier: 'tier4', run: postEphemeral },
  'chat.getPermalink': { token: 'bot', scopes: [], takesJson: false, tier: 'unlimited', run: getPermalink },
};

/** https://docs.slack.dev/reference/methods/chat.postMessage */
function postMessage(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = destination(workspace, requiredArg(args, 'channel'));
  const message = storeMessage(workspace, {
    ...postedContent(workspace, args, remarks),
    channel: channel.id,
    ...threadPlace(workspace, channel, args, remarks),
  });
  return { channel: channel.id, ts: message.ts, message: messageJson(workspace, message) };
}

/** Metadata is ignored. https://docs.slack.dev/reference/methods/chat.postEphemeral */
function postEphemeral(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = writableChannel(workspace, requiredArg(args, 'channel'));
  const { state } = workspace;
  const userId = requiredArg(args, 'user');
  const isActive = state.members.some(({ id, isDeactivated }) => id === userId && isDeactivated !== true);
  if (!isActive || !channel.memberIds.includes(userId)) throw new ApiError('user_not_in_channel');
  const { metadata: _, ...content } = postedContent(workspace, args, remarks);
  const { threadTs } = threadPlace(workspace, channel, args, remarks);
  if (threadTs !== undefined && repliesOf(workspace.state, channel.id, threadTs).length === 0)
    remarks.rule({
      code: 'ephemeral_not_shown',
      detail: 'The thread has no replies yet, so the ephemeral message is not shown.',
      documentation: 'https://docs.slack.dev/reference/methods/chat.postEphemeral',
    });
  const message = storeMessage(workspace, {
    ...content,
    channel: channel.id,
    onlyFor: userId,
    ...(threadTs !== undefined && { threadTs }),
  });
  return { message_ts: message.ts };
}

/** A channel by id or name, or a direct message by the member's id. */
function destination(workspace: Workspace, reference: string): StoredChannel {
  return memberChannel(workspace, reference) ?? writableChannel(workspace, reference);
}

const THREADS = 'https://docs.slack.dev/messaging#threading';

/**
 * Returns the place of a reply. Slack silently posts replies to a deleted message in the channel
 * (https://github.com/slack-go/slack/issues/1571), and replies to another reply in both the thread and the channel
 * (https://github.com/slackapi/python-slack-sdk/issues/1116).
 */
function threadPlace(
  workspace: Workspace,
  channel: StoredChannel,
  args: JsonObject,
  remarks: Remarks,
): { threadTs?: string; broadcast?: boolean } {
  const threadTs = textArg(args, 'thread_ts');
  if (!threadTs) return {};
  const parent = findMessage(workspace.state, channel.id, threadTs);
  if (!parent || parent.onlyFor !== undefined) {
    remarks.rule({
      code: 'thread_gone',
      detail: 'No message has this thread_ts, so the reply appears in the channel.',
      documentation: THREADS,
    });
    return {};
  }
  if (isReply(parent))
    remarks.rule({
      code: 'thread_ts_of_reply',
      detail: 'thread_ts belongs to a reply, so the message appears in the channel too.',
      documentation: THREADS,
    });
  return { threadTs: rootTsOf(parent), broadcast: flagArg(args, 'reply_broadcast') || isReply(parent) };
}

/**
 * `text` without `blocks` removes the blocks. https://docs.slack.dev/reference/methods/chat.update
 * A channel's name is not enough: https://github.com/slackapi/python-slack-sdk/issues/696
 */
function update(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = channelArg(workspace, args);
  const message = ownMessage(workspace, channel, requiredArg(args, 'ts'), 'cant_update_message');
  if (channel.isArchived) throw new ApiError('is_inactive');
  if (!isEditable(workspace, message)) throw new ApiError('edit_window_closed');
  refuseUnsupported(args);
  const changes = composedMessage(workspace, args, remarks);
  if ([changes.text, changes.blocks, changes.attachments].every((part) => part === undefined))
    throw new ApiError('no_text');
  if (storedTextBytes(changes.text ?? '') > UPDATE_TEXT_LIMIT_BYTES) throw new ApiError('msg_too_long');
  edit(workspace, message, changes);
  if (flagArg(args, 'reply_broadcast') && isReply(message)) message.broadcast = true;
  return { channel: channel.id, ts: message.ts, text: message.text, message: messageJson(workspace, message) };
}

/** Returns true while a setting of the workspace allows edits: https://slack.com/help/articles/202395258-Edit-or-delete-messages */
function isEditable({ features: { editWindowMs }, now }: Workspace, { ts }: StoredMessage): boolean {
  return editWindowMs === null || now() - Number(ts) * 1_000 <= editWindowMs;
}

function refuseUnsupported(args: JsonObject): void {
  const unsupported = ['file_ids', 'unfurled_attachments'].find((name) => (args[name] ?? '') !== '');
  if (unsupported) throw argumentError(`${unsupported} exists in Slack but is not supported by this workspace yet`);
}

/**
 * An edit notifies no one, even if it mentions people. Attachments stay unless others, or an empty list, are given.
 * https://github.com/slackapi/slack-api-specs/blob/master/web-api/slack_web_openapi_v2.json
 */
function edit(workspace: Workspace, message: StoredMessage, changes: ComposedMessage): void {
  const { text, blocks, attachments, metadata } = changes;
  changeMessage(workspace, message, {
    ...(text !== undefined && { text }),
    ...(attachments && { attachments }),
    ...((blocks !== undefined || text !== undefined) && { blocks: blocks ?? [] }),
    ...(metadata && { metadata }),
  });
}

/** https://docs.slack.dev/reference/methods/chat.delete */
function remove(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  const message = ownMessage(workspace, channel, requiredArg(args, 'ts'), 'cant_delete_message');
  deleteMessage(workspace, message);
  return { channel: channel.id, ts: message.ts };
}

/** One of the app's own messages. Ephemeral ones can't be found again. */
function ownMessage(workspace: Workspace, channel: StoredChannel, ts: string, refusal: string): StoredMessage {
  const message = findMessage(workspace.state, channel.id, ts);
  if (!message || message.onlyFor !== undefined || message.tombstone) throw new ApiError('message_not_found');
  if (message.userId !== workspace.app.botUserId || message.notice) throw new ApiError(refusal);
  return message;
}

/** https://docs.slack.dev/reference/methods/chat.getPermalink */
function getPermalink(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  const ts = requiredArg(args, 'message_ts');
  if (!/^\d+\.\d+$/.test(ts)) throw argumentError('message_ts must be a message timestamp');
  const message = findMessage(workspace.state, channel.id, ts);
  if (!message || message.onlyFor !== undefined) throw new ApiError('message_not_found');
  const reply = isReply(message) ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : '';
  const permalink = `${workspace.origin()}/archives/${channel.id}/p${ts.replace('.', '')}${reply}`;
  return { channel: channel.id, permalink };
}
