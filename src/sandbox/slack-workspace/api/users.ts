import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';
import { userJson } from './user-json.ts';

/** https://docs.slack.dev/reference/methods/users.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'user');
  const member = workspace.state.members.find((candidate) => [candidate.id, candidate.enterpriseUserId].includes(id));
  if (!member) throw new ApiError('user_not_found');
  return { user: userJson(workspace, member, detail(args)) };
}

/** https://docs.slack.dev/reference/methods/users.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const { page, nextCursor } = pageOf(workspace.state.members, args, 1000);
  return {
    members: page.map((member) => userJson(workspace, member, detail(args))),
    cache_ts: Math.floor(workspace.now() / 1000),
    response_metadata: { next_cursor: nextCursor },
  };
}

/**
 * Finds active people of this workspace, guests included.
 * https://docs.slack.dev/reference/methods/users.lookupByEmail
 */
function lookupByEmail(workspace: Workspace, args: JsonObject): JsonObject {
  const wanted = requiredArg(args, 'email').toLowerCase();
  const { team, members } = workspace.state;
  const member = members.find(
    ({ email, kind, teamId, isDeactivated }) =>
      email.toLowerCase() === wanted &&
      teamId === team.id &&
      kind !== 'app' &&
      kind !== 'slackbot' &&
      isDeactivated !== true,
  );
  if (!member) throw new ApiError('users_not_found');
  return { user: userJson(workspace, member) };
}

function detail(args: JsonObject) {
  return flagArg(args, 'include_locale') ? 'with-locale' : 'usual';
}

const read = { token: 'bot', scopes: ['users:read'], takesJson: false } as const;

export const USER_METHODS: ApiMethods = {
  'users.info': { ...read, tier: 'tier4', run: info },
  'users.list': { ...read, tier: 'tier2', run: list },
  'users.lookupByEmail': { ...read, scopes: ['users:read.email'], tier: 'tier3', run: lookupByEmail },
};
