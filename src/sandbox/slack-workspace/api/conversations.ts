import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { addMember, canSee, directMessage, isIn } from '../state/channels.ts';
import { OTHER_TEAM } from '../state/seed.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import { channelArg, channelScope, needScope } from './channel-access.ts';
import { history, replies } from './conversation-history.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';

/** https://docs.slack.dev/reference/objects/conversation-object */
function channelJson(workspace: Workspace, channel: StoredChannel, wantsCount = false): JsonObject {
  const { team } = workspace.state;
  return compact({
    id: channel.id,
    name: channel.kind === 'im' ? undefined : channel.name,
    name_normalized: channel.kind === 'im' ? undefined : channel.name,
    user: channel.kind === 'im' ? channel.memberIds[0] : undefined,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: channel.kind === 'im',
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived,
    is_general: channel.name === 'general',
    is_member: isIn(channel, workspace.app.botUserId),
    is_shared: channel.isShared,
    is_ext_shared: channel.isShared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    context_team_id: team.id,
    shared_team_ids: channel.isShared
      ? [...new Set([team.id, OTHER_TEAM.id, ...teamsIn(workspace, channel)])]
      : [team.id],
    created: channel.created,
    creator: channel.memberIds[0] ?? '',
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: wantsCount ? channel.memberIds.length : undefined,
  });
}

function teamsIn({ state }: Workspace, channel: StoredChannel): string[] {
  return state.members.filter(({ id }) => isIn(channel, id)).map(({ teamId }) => teamId);
}

/** https://docs.slack.dev/reference/methods/conversations.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'read'));
  return { channel: channelJson(workspace, channel, flagArg(args, 'include_num_members')) };
}

const KINDS: { [type: string]: StoredChannel['kind'] | undefined } = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
};

/** https://docs.slack.dev/reference/methods/conversations.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const types = (textArg(args, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
  if (types.some((type) => !['public_channel', 'private_channel', 'im', 'mpim'].includes(type)))
    throw new ApiError('invalid_types');
  const kinds = types.flatMap((type) => KINDS[type] ?? []);
  for (const kind of kinds) needScope(workspace, `${{ public: 'channels', private: 'groups', im: 'im' }[kind]}:read`);
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

/** Opens the direct message with one member. https://docs.slack.dev/reference/methods/conversations.open */
function open(workspace: Workspace, args: JsonObject): JsonObject {
  const given = textArg(args, 'channel');
  if (given) return { channel: { id: channelArg(workspace, args).id } };
  const [memberId, ...others] = requiredArg(args, 'users').split(',');
  const member = workspace.state.members.find((candidate) => candidate.id === memberId && candidate.kind !== 'app');
  if (!member) throw new ApiError('user_not_found');
  if (member.isDeactivated) throw new ApiError('user_disabled');
  if (others.length > 0) throw new ApiError('method_not_supported_for_channel_type');
  const channel = directMessage(workspace.state, {
    botUserId: workspace.app.botUserId,
    memberId: member.id,
    nowMs: workspace.now(),
  });
  workspace.touch();
  return { channel: { id: channel.id } };
}

/** https://docs.slack.dev/reference/methods/conversations.join */
function join(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
  if (channel.isArchived) throw new ApiError('is_archived');
  addMember(channel, workspace.app.botUserId);
  workspace.touch();
  return { channel: channelJson(workspace, channel) };
}

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const bot = { token: 'bot', takesJson: false } as const;

export const CONVERSATION_METHODS: ApiMethods = {
  'conversations.info': { ...bot, scopes: READ, tier: 'tier3', run: info },
  'conversations.list': { ...bot, scopes: READ, tier: 'tier2', run: list },
  'conversations.members': { ...bot, scopes: READ, tier: 'tier4', run: members },
  'conversations.history': { ...bot, scopes: HISTORY, tier: 'tier3', run: history },
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
