import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { findMessage, isReply, publicMessages, repliesOf } from '../state/messages.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import { channelArg, channelScope, needScope } from './channel-access.ts';
import { messageJson } from './message-json.ts';
import { pageOf } from './page-of.ts';

function readableChannel(workspace: Workspace, args: JsonObject): StoredChannel {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'history'));
  if (!isIn(channel, workspace.app.botUserId)) throw new ApiError('not_in_channel');
  return channel;
}

/** Metadata is included only on request. https://docs.slack.dev/messaging/message-metadata */
function shown(workspace: Workspace, message: StoredMessage, args: JsonObject): JsonObject {
  const { metadata, ...rest } = messageJson(workspace, message);
  return flagArg(args, 'include_all_metadata') && metadata !== undefined ? { ...rest, metadata } : rest;
}

function inRange(messages: StoredMessage[], args: JsonObject): StoredMessage[] {
  const oldest = timeArg(args, 'oldest') ?? 0;
  const latest = timeArg(args, 'latest') ?? Number.POSITIVE_INFINITY;
  const inclusive = flagArg(args, 'inclusive');
  return messages.filter(({ ts }) =>
    inclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest,
  );
}

/** https://docs.slack.dev/reference/methods/conversations.history#errors */
function timeArg(args: JsonObject, name: 'oldest' | 'latest'): number | undefined {
  const value = textArg(args, name);
  if (!value || value === 'now') return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new ApiError(`invalid_ts_${name}`);
  return Number(value);
}

/** Newest first, without thread replies. https://docs.slack.dev/reference/methods/conversations.history */
export function history(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = readableChannel(workspace, args);
  const all = publicMessages(workspace.state, channel.id).filter((message) => !isReply(message) || message.broadcast);
  const { page, nextCursor } = pageOf(inRange(all, args).reverse(), args);
  const { oldest, latest } = args;
  return {
    ...compact({ oldest, latest }),
    messages: page.map((message) => shown(workspace, message, args)),
    has_more: nextCursor !== '',
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...(nextCursor !== '' && { response_metadata: { next_cursor: nextCursor } }),
  };
}

/** The root, then its replies, oldest first. https://docs.slack.dev/reference/methods/conversations.replies */
export function replies(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = readableChannel(workspace, args);
  const root = findMessage(workspace.state, channel.id, requiredArg(args, 'ts'));
  if (!root || root.onlyFor !== undefined) throw new ApiError('thread_not_found');
  const rest = isReply(root) ? [] : inRange(repliesOf(workspace.state, channel.id, root.ts), args);
  const { page, nextCursor } = pageOf([root, ...rest], args, 1000);
  return {
    messages: page.map((message) => shown(workspace, message, args)),
    has_more: nextCursor !== '',
    ...(nextCursor !== '' && { response_metadata: { next_cursor: nextCursor } }),
  };
}
