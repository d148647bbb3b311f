import type { JsonObject } from '../json.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { presenceOf } from '../state/presence.ts';
import { ApiError } from './api-error.ts';
import { textArg } from './arguments.ts';
import type { ApiMethods } from './method.ts';

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

/** https://docs.slack.dev/reference/methods/users.setPresence */
function setPresence(workspace: Workspace, args: JsonObject): JsonObject {
  const presence = textArg(args, 'presence');
  if (presence !== 'auto' && presence !== 'away') throw new ApiError('invalid_presence');
  memberById(workspace, workspace.app.botUserId).isAway = presence === 'away';
  workspace.touch();
  return {};
}

const bot = { token: 'bot' } as const;

export const PRESENCE_METHODS: ApiMethods = {
  'users.getPresence': { ...bot, scopes: ['users:read'], takesJson: false, tier: 'tier3', run: getPresence },
  'users.setPresence': { ...bot, scopes: ['users:write'], takesJson: true, tier: 'tier2', run: setPresence },
};
