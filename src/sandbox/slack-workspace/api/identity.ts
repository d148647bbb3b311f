import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { ApiError } from './api-error.ts';
import { textArg } from './arguments.ts';
import { botProfile } from './message-json.ts';
import type { ApiMethods } from './method.ts';

/** https://docs.slack.dev/reference/methods/auth.test */
function authTest(workspace: Workspace): JsonObject {
  const { app, state } = workspace;
  return {
    url: `${workspace.origin()}/`,
    team: state.team.name,
    user: app.handle,
    team_id: state.team.id,
    user_id: app.botUserId,
    bot_id: app.botId,
    is_enterprise_install: false,
  };
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

const bot = { token: 'bot', takesJson: false } as const;

export const IDENTITY_METHODS: ApiMethods = {
  'auth.test': { ...bot, takesJson: true, scopes: [], tier: 'unlimited', run: authTest },
  'bots.info': { ...bot, scopes: ['users:read'], tier: 'tier3', run: botsInfo },
  'team.info': { ...bot, takesJson: true, scopes: ['team:read'], tier: 'tier3', run: teamInfo },
};
