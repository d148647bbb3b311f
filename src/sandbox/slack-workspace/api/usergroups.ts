import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredGroup } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { groupJson } from './usergroup-json.ts';

/** Disabled groups are left out unless asked for. */
function shownGroups({ state }: Workspace, args: JsonObject): StoredGroup[] {
  const withDisabled = flagArg(args, 'include_disabled');
  return state.groups.filter(({ disabledAt }) => withDisabled || disabledAt === undefined);
}

/** https://docs.slack.dev/reference/methods/usergroups.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const shown = shownGroups(workspace, args).map((group) => ({
    ...groupJson(workspace, group),
    ...(flagArg(args, 'include_users') && { users: group.memberIds }),
    ...(flagArg(args, 'include_count') && { user_count: group.memberIds.length }),
  }));
  return { usergroups: shown };
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
