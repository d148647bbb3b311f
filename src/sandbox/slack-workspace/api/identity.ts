// Methods that say whether anything answers (api.test), and who the app is and where: auth.test, bots.info, team.info, and the connections of Socket Mode.

import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { grantedIds } from '../state/organisation.ts';
import { ApiError } from './api-error.ts';
import { pageOf, textArg } from './arguments.ts';
import { botProfile } from './message-json.ts';
import type { ApiMethods, Remarks } from './method.ts';

const bot = { token: 'bot', takesJson: false } as const;

export const IDENTITY_METHODS: ApiMethods = {
  'api.test': { token: 'none', takesJson: true, scopes: [], tier: 'unlimited', run: apiTest },
  'auth.teams.list': { ...bot, scopes: [], tier: 'tier2', run: teamsList },
  'auth.test': { token: 'any', takesJson: true, scopes: [], tier: 'unlimited', run: authTest },
  'bots.info': { ...bot, isOfWorkspace: true, scopes: ['users:read'], tier: 'tier3', run: botsInfo },
  'team.info': { ...bot, takesJson: true, scopes: ['team:read'], tier: 'tier3', run: teamInfo },
  'apps.connections.open': {
    token: 'app',
    scopes: ['connections:write'],
    tier: 'tier3',
    takesJson: true,
    isPostOnly: true,
    run: openConnection,
  },
};

/** Repeats its arguments, and refuses with the error that it is asked for. https://docs.slack.dev/reference/methods/api.test */
function apiTest(_: Workspace, { token: __, ...args }: JsonObject): JsonObject {
  const echo = Object.keys(args).length > 0 ? { args } : {};
  const error = textArg(args, 'error');
  if (error) throw new ApiError(error, echo, []);
  return echo;
}

/**
 * For an organisation, `team_id` is its own: https://github.com/lobu-ai/lobu/pull/3047. An app-level token belongs to the
 * app alone: https://github.com/slackapi/java-slack-sdk/blob/main/slack-api-client/src/main/java/com/slack/api/methods/response/auth/AuthTestResponse.java
 * https://docs.slack.dev/reference/methods/auth.test
 */
function authTest(workspace: Workspace, _: JsonObject, { token }: Remarks): JsonObject {
  const { app, state } = workspace;
  if (token === 'app') return { app_name: app.name, app_id: app.appId };
  const { organisation } = state;
  const { id, name } = organisation ?? state.team;
  return {
    url: `${workspace.origin()}/`,
    team: name,
    user: app.handle,
    team_id: id,
    user_id: app.botUserId,
    bot_id: app.botId,
    ...(organisation && { enterprise_id: organisation.id }),
    is_enterprise_install: organisation !== undefined,
  };
}

/** The workspaces that the app was added to. https://docs.slack.dev/reference/methods/auth.teams.list */
function teamsList({ state }: Workspace, args: JsonObject): JsonObject {
  const { workspaces } = state.organisation ?? { workspaces: [state.team] };
  const granted = workspaces.filter(({ id }) => grantedIds(state).includes(id));
  const { page, nextCursor } = pageOf(granted, args);
  return { teams: page.map(({ id, name }) => ({ id, name })), response_metadata: { next_cursor: nextCursor } };
}

/** https://docs.slack.dev/reference/methods/bots.info */
function botsInfo(workspace: Workspace, args: JsonObject): JsonObject {
  const id = textArg(args, 'bot');
  if (!id) throw new ApiError('missing_argument');
  if (id !== workspace.app.botId) throw new ApiError('bot_not_found');
  return { bot: botProfile(workspace) };
}

/** https://docs.slack.dev/reference/methods/team.info */
function teamInfo(workspace: Workspace): JsonObject {
  const { id, name, domain } = workspace.state.team;
  return { team: { id, name, domain, url: `${workspace.origin()}/`, email_domain: '', icon: { image_default: true } } };
}

/** https://docs.slack.dev/reference/methods/apps.connections.open */
function openConnection(workspace: Workspace): JsonObject {
  if (workspace.app.delivery.mode !== 'socket') throw new ApiError('not_allowed', {}, [SOCKET_MODE_OFF]);
  const ticket = workspace.tickets.issue();
  const address = workspace.origin().replace(/^http/, 'ws');
  return { url: `${address}/link/?ticket=${ticket}&app_id=${workspace.app.appId}` };
}

const SOCKET_MODE_OFF = {
  code: 'not_allowed',
  detail: 'Socket Mode is not switched on for this app.',
  documentation: 'https://docs.slack.dev/apis/events-api/using-socket-mode',
};
