import type { JsonObject } from '../json.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { pageOf } from './page-of.ts';
import { PRESENCE_METHODS } from './presence.ts';
import { userJson } from './user-json.ts';
import { conversations } from './users-conversations.ts';

/** https://docs.slack.dev/reference/methods/users.info#errors */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'user');
  const member = workspace.state.members.find((candidate) => [candidate.id, candidate.enterpriseUserId].includes(id));
  if (!member) throw new ApiError('user_not_found');
  return { user: userJson(workspace, member, detail(args)) };
}

/** Everybody, bots and deactivated people too, unless `limit` asks for less. https://docs.slack.dev/reference/methods/users.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const { members } = workspace.state;
  const { limit, ...others } = args;
  const isLimited = !['', '0'].includes(textArg(args, 'limit') ?? '');
  const { page, nextCursor } = pageOf(members, isLimited ? args : others, Math.max(members.length, 1000));
  return {
    members: page.map((member) => userJson(workspace, member, detail(args))),
    cache_ts: nowSeconds(workspace),
    response_metadata: { next_cursor: nextCursor },
  };
}

/** https://docs.slack.dev/reference/methods/users.lookupByEmail */
function lookupByEmail(workspace: Workspace, args: JsonObject): JsonObject {
  const wanted = requiredArg(args, 'email').toLowerCase();
  const member = workspace.state.members.find(
    (candidate) => candidate.email.toLowerCase() === wanted && isFoundByEmail(workspace, candidate),
  );
  if (!member) throw new ApiError('users_not_found');
  return { user: userJson(workspace, member) };
}

/** Active people of this workspace, guests included. https://github.com/pablovarela/terraform-provider-slack/issues/251 */
function isFoundByEmail({ state }: Workspace, { kind, teamId, isDeactivated }: StoredMember): boolean {
  return teamId === state.team.id && kind !== 'app' && kind !== 'slackbot' && isDeactivated !== true;
}

function detail(args: JsonObject) {
  return flagArg(args, 'include_locale') ? 'with-locale' : 'usual';
}

const CONVERSATION_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const read = { token: 'bot', scopes: ['users:read'], takesJson: false } as const;

export const USER_METHODS: ApiMethods = {
  'users.info': { ...read, tier: 'tier4', run: info },
  'users.list': { ...read, tier: 'tier2', run: list },
  'users.lookupByEmail': { ...read, scopes: ['users:read.email'], tier: 'tier3', run: lookupByEmail },
  'users.conversations': { ...read, scopes: CONVERSATION_SCOPES, tier: 'tier3', run: conversations },
  ...PRESENCE_METHODS,
};
