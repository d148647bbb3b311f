import type { JsonObject } from '../json.ts';
import { joinChannel } from '../runtime/join-channel.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { canSee, isIn } from '../state/channels.ts';
import { ApiError } from './api-error.ts';
import { flagArg } from './arguments.ts';
import { channelArg, channelScope, needScope } from './channel-access.ts';
import { channelJson } from './channel-json.ts';
import { wantedKinds } from './channel-types.ts';
import { history, replies } from './conversation-history.ts';
import { open } from './conversation-open.ts';
import type { ApiMethods, Remarks } from './method.ts';
import { pageOf } from './page-of.ts';

/** https://docs.slack.dev/reference/methods/conversations.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'read'));
  return { channel: channelJson(workspace, channel, flagArg(args, 'include_num_members')) };
}

/** https://docs.slack.dev/reference/methods/conversations.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const kinds = wantedKinds(workspace, args);
  const withoutArchived = flagArg(args, 'exclude_archived');
  const seen = workspace.state.channels.filter(
    (channel) =>
      kinds.includes(channel.kind) &&
      canSee(workspace.state, channel, workspace.app.botUserId) &&
      !(withoutArchived && channel.isArchived),
  );
  const { page, nextCursor } = pageOf(seen, args);
  return {
    channels: page.map((channel) => channelJson(workspace, channel, true)),
    response_metadata: { next_cursor: nextCursor },
  };
}

/** https://docs.slack.dev/reference/methods/conversations.members */
function members(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'read'));
  const { page, nextCursor } = pageOf(channel.memberIds, args);
  return { members: page, response_metadata: { next_cursor: nextCursor } };
}

/** https://docs.slack.dev/reference/methods/conversations.join */
function join(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = channelArg(workspace, args);
  if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
  if (channel.isArchived) throw new ApiError('is_archived');
  if (isIn(channel, workspace.app.botUserId)) remarks.warning({ code: 'already_in_channel' });
  joinChannel(workspace, channel, { userId: workspace.app.botUserId });
  return { channel: channelJson(workspace, channel) };
}

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const bot = { token: 'bot', takesJson: false } as const;

export const CONVERSATION_METHODS: ApiMethods = {
  'conversations.info': { ...bot, scopes: READ, tier: 'tier3', run: info },
  'conversations.list': { ...bot, scopes: READ, tier: 'tier2', run: list },
  'conversations.members': { ...bot, scopes: READ, tier: 'tier4', run: members },
  'conversations.history': { ...bot, takesJson: true, scopes: HISTORY, tier: 'tier3', run: history },
  'conversations.replies': { ...bot, scopes: HISTORY, tier: 'tier3', run: replies },
  'conversations.open': {
    ...bot,
    takesJson: true,
    scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
    tier: 'tier3',
    run: open,
  },
  'conversations.join': { ...bot, takesJson: true, scopes: ['channels:join'], tier: 'tier3', run: join },
};
