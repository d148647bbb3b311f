// usergroups.*: groups that can be mentioned, and their members.

import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { workspaceOf } from '../state/organisation.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredGroup } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';

const readMethod = {
  token: 'bot',
  scopes: ['usergroups:read'],
  tier: 'tier2',
  takesJson: false,
  isOfWorkspace: true,
} as const;

export const USERGROUP_METHODS: ApiMethods = {
  'usergroups.list': { ...readMethod, run: list },
  'usergroups.users.list': { ...readMethod, run: members },
};

/** Disabled groups are left out unless asked for. */
function shownGroups({ state }: Workspace, args: JsonObject): StoredGroup[] {
  const withDisabled = flagArg(args, 'include_disabled');
  const ofWorkspace = state.organisation && textArg(args, 'team_id');
  return state.groups.filter(
    (group) =>
      (withDisabled || group.disabledAt === undefined) &&
      (ofWorkspace === undefined || workspaceOf(state, group) === ofWorkspace),
  );
}

/** https://docs.slack.dev/reference/methods/usergroups.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const groups = shownGroups(workspace, args).map((group) => ({
    ...groupJson(workspace, group),
    ...(flagArg(args, 'include_users') && { users: group.memberIds }),
    ...(flagArg(args, 'include_count') && { user_count: group.memberIds.length }),
  }));
  return { usergroups: groups };
}

/** https://docs.slack.dev/reference/methods/usergroups.users.list */
function members(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'usergroup');
  const group = shownGroups(workspace, args).find((candidate) => candidate.id === id);
  if (!group) throw new ApiError('no_such_subteam');
  return { users: group.memberIds };
}

/** https://docs.slack.dev/reference/objects/usergroup-object and `Subteam` in @slack/types */
export function groupJson({ state }: Workspace, group: StoredGroup): JsonObject {
  const { createdAt = 0, updatedAt = createdAt, createdBy = SLACKBOT_ID, updatedBy = createdBy } = group;
  return {
    id: group.id,
    team_id: workspaceOf(state, group),
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: createdAt,
    date_update: updatedAt,
    date_delete: group.disabledAt ?? 0,
    auto_type: null,
    auto_provision: false,
    enterprise_subteam_id: '',
    created_by: createdBy,
    updated_by: updatedBy,
    deleted_by: group.disabledAt === undefined ? null : (group.disabledBy ?? SLACKBOT_ID),
    prefs: { channels: [], groups: [] },
    channel_count: 0,
  };
}
