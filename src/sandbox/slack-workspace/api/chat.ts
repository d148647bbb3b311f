import type { JsonObject } from '../json.ts';
import { deleteMessage } from '../runtime/change-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply } from '../state/messages.ts';
import { ApiError, argumentError } from './api-error.ts';
import { requiredArg } from './arguments.ts';
import { channelArg } from './channel-access.ts';
import { postEphemeral, postMessage } from './chat-post.ts';
import { ownMessage, update } from './chat-update.ts';
import type { ApiMethods } from './method.ts';

/** https://docs.slack.dev/reference/methods/chat.delete */
function remove(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  const message = ownMessage(workspace, channel, requiredArg(args, 'ts'), 'cant_delete_message');
  deleteMessage(workspace, message);
  return { channel: channel.id, ts: message.ts };
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

const write = { token: 'bot', scopes: ['chat:write'], takesJson: true } as const;

export const CHAT_METHODS: ApiMethods = {
  'chat.postMessage': { ...write, tier: 'per-channel', limitedBy: (args) => String(args.channel), run: postMessage },
  'chat.update': { ...write, tier: 'tier3', run: update },
  'chat.delete': { ...write, tier: 'tier3', run: remove },
  'chat.postEphemeral': { ...write, tier: 'tier4', run: postEphemeral },
  'chat.getPermalink': { token: 'bot', scopes: [], takesJson: false, tier: 'unlimited', run: getPermalink },
};
