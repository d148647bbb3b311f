// users.*: who is here, what their profile says, and who is there right now.

import type { JsonObject } from '../json.ts';
import { memberById, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { presenceOf } from '../state/members.ts';
import { mayAct, workspacesOf } from '../state/organisation.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, pageOf, requiredArg, textArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';
import { profileJson, userJson } from './user-json.ts';

const readMethod = { token: 'bot', scopes: ['users:read'], takesJson: false } as const;

export const USER_METHODS: ApiMethods = {
  'users.info': { ...readMethod, tier: 'tier4', run: info },
  'users.list': { ...readMethod, tier: 'tier2', isOfWorkspace: true, run: list },
  'users.lookupByEmail': { ...readMethod, scopes: ['users:read.email'], tier: 'tier3', run: lookupByEmail },
  'users.getPresence': { ...readMethod, tier: 'tier3', run: getPresence },
  'users.profile.get': { ...readMethod, scopes: ['users.profile:read'], tier: 'tier4', run: profile },
  'users.setPresence': { token: 'bot', scopes: ['users:write'], takesJson: true, tier: 'tier2', run: setPresence },
};

/** https://docs.slack.dev/reference/methods/users.info#errors */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'user');
  const member = workspace.state.members.find((candidate) => [candidate.id, candidate.enterpriseUserId].includes(id));
  if (!member) throw new ApiError('user_not_found');
  return { user: userJson(workspace, member, detail(args)) };
}

/** Everybody, bots and deactivated people too, unless `limit` asks for less. https://docs.slack.dev/reference/methods/users.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const { state } = workspace;
  const ofWorkspace = state.organisation && textArg(args, 'team_id');
  const members = state.members.filter(
    (member) => ofWorkspace === undefined || workspacesOf(state, member).includes(ofWorkspace),
  );
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
  const email = requiredArg(args, 'email').toLowerCase();
  const member = workspace.state.members.find(
    (candidate) => candidate.email.toLowerCase() === email && isFoundByEmail(workspace, candidate),
  );
  if (!member) throw new ApiError('users_not_found');
  return { user: userJson(workspace, member) };
}

/** Active people of this workspace, guests included. https://github.com/pablovarela/terraform-provider-slack/issues/251 */
function isFoundByEmail({ state }: Workspace, member: StoredMember): boolean {
  const { kind, isDeactivated } = member;
  return mayAct(state, workspacesOf(state, member)) && kind !== 'app' && kind !== 'slackbot' && isDeactivated !== true;
}

function detail(args: JsonObject) {
  return flagArg(args, 'include_locale') ? 'with-locale' : 'usual';
}

/**
 * The details are for the bot itself, which has no connection that counts. People of other organisations aren't found:
 * https://github.com/dgurkaynak/slack-poker-planner/issues/20
 * https://docs.slack.dev/reference/methods/users.getPresence
 */
function getPresence({ state, app }: Workspace, args: JsonObject): JsonObject {
  const id = textArg(args, 'user') || app.botUserId;
  const member = state.members.find((candidate) => candidate.id === id && candidate.kind !== 'stranger');
  if (!member) throw new ApiError('user_not_found');
  const presence = presenceOf(member, app);
  if (id !== app.botUserId) return { presence };
  return {
    presence,
    online: presence === 'active',
    auto_away: false,
    manual_away: member.isAway ?? false,
    connection_count: 0,
  };
}

/** Returns the bot's own profile, unless another user is named. https://docs.slack.dev/reference/methods/users.profile.get */
function profile(workspace: Workspace, args: JsonObject): JsonObject {
  const id = textArg(args, 'user') || workspace.app.botUserId;
  const member = workspace.state.members.find((candidate) => candidate.id === id);
  if (!member) throw new ApiError('user_not_found');
  return { profile: profileJson(workspace, member) };
}

/** https://docs.slack.dev/reference/methods/users.setPresence */
function setPresence(workspace: Workspace, args: JsonObject): JsonObject {
  const presence = textArg(args, 'presence');
  if (presence !== 'auto' && presence !== 'away') throw new ApiError('invalid_presence');
  memberById(workspace, workspace.app.botUserId).isAway = presence === 'away';
  workspace.touch();
  return {};
}
