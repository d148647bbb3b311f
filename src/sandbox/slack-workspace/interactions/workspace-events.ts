// Events about accounts, channels, user groups and the app's installation.

import { channelJson } from '../api/channel-json.ts';
import { userJson } from '../api/user-json.ts';
import { groupJson } from '../api/usergroups.ts';
import type { JsonObject } from '../json.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { workspaceOf } from '../state/organisation.ts';
import type { StoredChannel, StoredGroup, StoredMember } from '../state/workspace-state.ts';
import { type SentEvent, sendEvent } from './events.ts';
import { actionTs } from './payload-facts.ts';

/** https://docs.slack.dev/reference/events/user_change, for deactivation and roles, too */
export function userChanged(workspace: Workspace, member: StoredMember): void {
  accountEvent(workspace, 'user_change', member);
}

/** https://docs.slack.dev/reference/events/team_join */
export function teamJoined(workspace: Workspace, member: StoredMember): void {
  accountEvent(workspace, 'team_join', member);
}

function accountEvent(workspace: Workspace, type: 'user_change' | 'team_join', member: StoredMember): void {
  const user = userJson(workspace, member, 'with-locale');
  const event = { type, user, cache_ts: nowSeconds(workspace), event_ts: actionTs(workspace) };
  sendEvent(workspace, type, event);
}

/** https://docs.slack.dev/reference/events/channel_created: public channels only */
export function channelCreated(workspace: Workspace, channel: StoredChannel): void {
  if (channel.kind !== 'public') return;
  const { is_member: _, topic: __, purpose: ___, ...facts } = channelJson(workspace, channel);
  const event = { type: 'channel_created', channel: facts, event_ts: actionTs(workspace) };
  sendEvent(workspace, 'channel_created', event);
}

/**
 * https://docs.slack.dev/reference/events/channel_rename, https://docs.slack.dev/reference/events/group_rename
 */
export function channelRenamed(workspace: Workspace, channel: StoredChannel): void {
  const { id, name, created, kind } = channel;
  const facts = { id, name, name_normalized: name, created, is_channel: kind === 'public', is_mpim: false };
  channelEvent(workspace, channel, { what: 'rename', facts: { channel: facts } });
}

/** https://docs.slack.dev/reference/events/channel_id_changed */
export function channelIdChanged(workspace: Workspace, channel: StoredChannel, oldId: string): void {
  const ids = { old_channel_id: oldId, new_channel_id: channel.id };
  sendEvent(
    workspace,
    'channel_id_changed',
    { type: 'channel_id_changed', ...ids, event_ts: actionTs(workspace) },
    channel,
  );
}

/**
 * https://docs.slack.dev/reference/events/channel_archive, https://docs.slack.dev/reference/events/channel_unarchive and
 * their `group_…` for private channels, of which `GroupUnarchiveEvent` in @slack/types names the person otherwise
 */
export function channelArchived(workspace: Workspace, channel: StoredChannel, actorId: string): void {
  const { id, isArchived, kind } = channel;
  const actor = kind === 'private' && !isArchived ? { actor_id: actorId } : { user: actorId };
  const facts = { channel: id, ...actor, ...(isArchived && { is_moved: 0 }) };
  channelEvent(workspace, channel, { what: isArchived ? 'archive' : 'unarchive', facts });
}

/** Only members of a private channel get its events. */
function channelEvent(
  workspace: Workspace,
  channel: StoredChannel,
  { what, facts }: { what: 'rename' | 'archive' | 'unarchive'; facts: JsonObject },
): void {
  const type = `${channel.kind === 'public' ? 'channel' : 'group'}_${what}` as const;
  const event = { type, ...facts, event_ts: actionTs(workspace) };
  sendEvent(workspace, type, event, channel.kind === 'public' ? undefined : channel);
}

/** https://docs.slack.dev/reference/events/subteam_created */
export function groupCreated(workspace: Workspace, group: StoredGroup): void {
  groupEvent(workspace, 'subteam_created', { subteam: wholeGroup(workspace, group) });
}

/** Sends the event of a group that changed, was disabled or enabled, or has other members: https://docs.slack.dev/reference/events/subteam_updated */
export function groupUpdated(workspace: Workspace, group: StoredGroup): void {
  groupEvent(workspace, 'subteam_updated', { subteam: wholeGroup(workspace, group) });
}

type Memberships = { before: readonly string[]; previousUpdate: number };

/**
 * https://docs.slack.dev/reference/events/subteam_members_changed
 * https://docs.slack.dev/reference/events/subteam_self_added, https://docs.slack.dev/reference/events/subteam_self_removed
 */
export function groupMembersChanged(workspace: Workspace, group: StoredGroup, was: Memberships): void {
  const added = group.memberIds.filter((id) => !was.before.includes(id));
  const removed = was.before.filter((id) => !group.memberIds.includes(id));
  groupEvent(workspace, 'subteam_members_changed', {
    subteam_id: group.id,
    team_id: workspaceOf(workspace.state, group),
    date_previous_update: was.previousUpdate,
    date_update: group.updatedAt ?? 0,
    added_users: added,
    added_users_count: added.length,
    removed_users: [...removed],
    removed_users_count: removed.length,
  });
  const { botUserId } = workspace.app;
  if (added.includes(botUserId)) groupEvent(workspace, 'subteam_self_added', { subteam_id: group.id });
  if (removed.includes(botUserId)) groupEvent(workspace, 'subteam_self_removed', { subteam_id: group.id });
}

const MOST_USERS = 500;

/** `users` ends after 500; `user_count` is the whole number. */
function wholeGroup(workspace: Workspace, group: StoredGroup): JsonObject {
  const { memberIds } = group;
  return { ...groupJson(workspace, group), users: memberIds.slice(0, MOST_USERS), user_count: memberIds.length };
}

function groupEvent(workspace: Workspace, type: `subteam_${string}` & SentEvent, facts: JsonObject): void {
  sendEvent(workspace, type, { type, ...facts, event_ts: actionTs(workspace) });
}

/** https://docs.slack.dev/reference/events/team_access_granted, https://docs.slack.dev/reference/events/team_access_revoked */
export function accessChanged(workspace: Workspace, teamId: string, access: 'granted' | 'revoked'): void {
  const type = `team_access_${access}` as const;
  sendEvent(workspace, type, { type, team_ids: [teamId], event_ts: actionTs(workspace) });
}

/** https://docs.slack.dev/reference/events/tokens_revoked */
export function tokenRevoked(workspace: Workspace): void {
  const tokens = { oauth: [], bot: [workspace.app.botUserId] };
  sendEvent(workspace, 'tokens_revoked', { type: 'tokens_revoked', tokens, event_ts: actionTs(workspace) });
}

/** https://docs.slack.dev/reference/events/app_uninstalled */
export function appUninstalled(workspace: Workspace): void {
  sendEvent(workspace, 'app_uninstalled', { type: 'app_uninstalled', event_ts: actionTs(workspace) });
}
