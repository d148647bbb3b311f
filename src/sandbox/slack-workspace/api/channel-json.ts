import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { workspacesWith } from '../state/organisation.ts';
import { OTHER_TEAM } from '../state/seed.ts';
import type { StoredChannel } from '../state/workspace-state.ts';

/** https://docs.slack.dev/reference/objects/conversation-object */
export function channelJson(workspace: Workspace, channel: StoredChannel, wantsCount = false): JsonObject {
  const json = channel.kind === 'im' ? directMessageJson(workspace, channel) : namedChannelJson(workspace, channel);
  return wantsCount ? { ...json, num_members: channel.memberIds.length } : json;
}

/** https://docs.slack.dev/reference/methods/conversations.info#examples */
function namedChannelJson(workspace: Workspace, channel: StoredChannel): JsonObject {
  const own = workspacesWith(workspace.state, channel);
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.isArchived,
    is_general: channel.name === 'general',
    is_member: isIn(channel, workspace.app.botUserId),
    is_shared: channel.isShared || own.length > 1,
    is_ext_shared: channel.isShared,
    is_org_shared: own.length > 1,
    is_pending_ext_shared: false,
    is_frozen: false,
    unlinked: 0,
    pending_shared: [],
    pending_connected_team_ids: [],
    previous_names: [],
    parent_conversation: null,
    context_team_id: own[0] ?? '',
    shared_team_ids: channel.isShared
      ? [...new Set([...own, OTHER_TEAM.id, ...teamsIn(workspace, channel)])]
      : [...own],
    created: channel.created,
    updated: channel.created * 1000,
    creator: channel.memberIds[0] ?? '',
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}

/**
 * Says nothing of being a channel, private or shared. https://docs.slack.dev/reference/methods/conversations.info#examples,
 * https://docs.slack.dev/reference/methods/users.conversations
 */
function directMessageJson({ state }: Workspace, channel: StoredChannel): JsonObject {
  const [userId = ''] = channel.memberIds;
  const isDeleted = state.members.some(({ id, isDeactivated }) => id === userId && isDeactivated === true);
  return {
    id: channel.id,
    created: channel.created,
    is_archived: channel.isArchived,
    is_im: true,
    is_org_shared: false,
    context_team_id: workspacesWith(state, channel)[0] ?? '',
    updated: channel.created * 1000,
    user: userId,
    is_user_deleted: isDeleted,
    priority: 0,
  };
}

function teamsIn({ state }: Workspace, channel: StoredChannel): string[] {
  return state.members.filter(({ id }) => isIn(channel, id)).map(({ teamId }) => teamId);
}
