// assistant.threads.*: what the app says that it is doing.

import type { Json, JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, isReply } from '../state/messages.ts';
import { ApiError, argumentError } from './api-error.ts';
import { jsonArg, requiredArg, textArg } from './arguments.ts';
import { writableChannel } from './channel-access.ts';
import { customName } from './message-content.ts';
import type { ApiMethods } from './method.ts';

const MOST_LOADING_MESSAGES = 10;

export const ASSISTANT_METHODS: ApiMethods = {
  'assistant.threads.setStatus': {
    token: 'bot',
    scopes: ['assistant:write', 'chat:write'],
    takesJson: true,
    tier: 'special',
    run: setStatus,
  },
};

/** An empty status clears it. https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
function setStatus(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = writableChannel(workspace, requiredArg(args, 'channel_id'));
  if (channel.id !== args.channel_id) throw new ApiError('channel_not_found');
  const root = findMessage(workspace.state, channel.id, requiredArg(args, 'thread_ts'));
  if (!root || root.onlyFor !== undefined || isReply(root)) throw new ApiError('invalid_thread_ts');
  const text = textArg(args, 'status');
  if (text === undefined) throw argumentError('missing required field: status');
  const loadingMessages = loadingMessagesOf(jsonArg(args, 'loading_messages', 'invalid_arguments'));
  const username = customName(workspace, args);
  const place = { channel: channel.id, threadTs: root.ts };
  if (text === '') workspace.statuses.clear(place);
  else workspace.statuses.set({ ...place, text, loadingMessages, ...(username !== undefined && { username }) });
  workspace.touch();
  return {};
}

function loadingMessagesOf(value: Json | undefined): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw argumentError('must provide an array: loading_messages');
  if (value.length > MOST_LOADING_MESSAGES)
    throw argumentError(`no more than ${MOST_LOADING_MESSAGES} items allowed: loading_messages`);
  return value.map(String);
}
