import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { begunDirectMessage, directMessage } from '../state/channels.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, textArg } from './arguments.ts';
import { channelArg } from './channel-access.ts';
import { channelJson } from './channel-json.ts';

const MOST_USERS = 8;

/**
 * Opens the direct message with one member; those with several don't exist here.
 * https://docs.slack.dev/reference/methods/conversations.open
 */
export function open(workspace: Workspace, args: JsonObject): JsonObject {
  if (textArg(args, 'channel')) return answer(workspace, { channel: channelArg(workspace, args), args, wasOpen: true });
  const users = (textArg(args, 'users') ?? '').split(',').filter((id) => id !== '');
  const [memberId] = users;
  if (memberId === undefined) throw new ApiError('users_list_not_supplied');
  if (users.length > MOST_USERS) throw new ApiError('too_many_users');
  const { state, app } = workspace;
  const member = state.members.find((candidate) => candidate.id === memberId && candidate.kind !== 'app');
  if (!member) throw new ApiError('user_not_found');
  if (member.isDeactivated) throw new ApiError('user_disabled');
  if (users.length > 1) throw new ApiError('method_not_supported_for_channel_type');
  const parties = { botUserId: app.botUserId, memberId };
  const wasOpen = begunDirectMessage(state, parties) !== undefined;
  const channel = directMessage(state, { ...parties, nowMs: workspace.now() });
  workspace.touch();
  return answer(workspace, { channel, args, wasOpen });
}

type Opened = { channel: StoredChannel; args: JsonObject; wasOpen: boolean };

function answer(workspace: Workspace, { channel, args, wasOpen }: Opened): JsonObject {
  return {
    ...(wasOpen && { no_op: true, already_open: true }),
    channel: flagArg(args, 'return_im') ? channelJson(workspace, channel) : { id: channel.id },
  };
}
