import { groupJson } from '../api/usergroup-json.ts';
import type { JsonObject } from '../json.ts';
import type { SentEvent } from '../runtime/bot-events.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredGroup } from '../state/workspace-state.ts';
import { sendEvent } from './event-payload.ts';
import { actionTs } from './payload-facts.ts';

const MOST_USERS = 500;

/** https://docs.slack.dev/reference/events/subteam_created */
export function groupCreated(workspace: Workspace, group: StoredGroup): void {
  groupEvent(workspace, 'subteam_created', { subteam: wholeGroup(workspace, group) });
}

/** Also where it is disabled or enabled, or its members change: https://docs.slack.dev/reference/events/subteam_updated */
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
    team_id: workspace.state.team.id,
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

/** `users` ends after 500; `user_count` is the whole number. */
function wholeGroup(workspace: Workspace, group: StoredGroup): JsonObject {
  const { memberIds } = group;
  return { ...groupJson(workspace, group), users: memberIds.slice(0, MOST_USERS), user_count: memberIds.length };
}

function groupEvent(workspace: Workspace, type: `subteam_${string}` & SentEvent, facts: JsonObject): void {
  sendEvent(workspace, type, { type, ...facts, event_ts: actionTs(workspace) });
}
