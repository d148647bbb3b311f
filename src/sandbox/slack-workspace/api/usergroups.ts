import type { JsonObject } from '../json.ts';
import type { UserGroup } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';

/** https://docs.slack.dev/reference/objects/usergroup-object */
function groupJson(workspace: Workspace, group: UserGroup, args: JsonObject): JsonObject {
  return {
    id: group.id,
    team_id: workspace.state.team.id,
    is_usergroup: true,
    is_external: false,
    name: group.name,
    description: '',
    handle: group.handle,
    date_delete: group.disabledAt ?? 0,
    deleted_by: group.disabledAt === undefined ? null : SLACKBOT_ID,
    auto_type: null,
    prefs: { channels: [], groups: [] },
    ...(flagArg(args, 'include_users') && { users: group.memberIds }),
    ...(flagArg(args, 'include_count') && { user_count: group.memberIds.length }),
  };
}

/** Disabled groups are left out unless asked for. */
function shownGroups({ state }: Workspace, args: JsonObject): UserGroup[] {
  const withDisabled = flagArg(args, 'include_disabled');
  return state.groups.filter(({ disabledAt }) => withDisabled || disabledAt === undefined);
}

/** https://docs.slack.dev/reference/methods/usergroups.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const groups = shownGroups(workspace, args);
  return { usergroups: groups.map((group) => groupJson(workspace, group, args)) };
}

/** https://docs.slack.dev/reference/methods/usergroups.users.list */
function members(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'usergroup');
  const group = shownGroups(workspace, args).find((candidate) => candidate.id === id);
  if (!group) throw new ApiError('no_such_subteam');
  return { users: group.memberIds };
}

const read = { token: 'bot', scopes: ['usergroups:read'], tier: 'tier2', takesJson: false } as const;

export const USERGROUP_METHODS: ApiMethods = {
  'usergroups.list': { ...read, run: list },
  'usergroups.users.list': { ...read, run: members },
};
