import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { begunDirectMessage, canSee, channelById, directMessage, findChannel, isIn } from '../state/channels.ts';
import { mayAct, workspacesOf, workspacesWith } from '../state/organisation.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { requiredArg } from './arguments.ts';

/** A channel the bot can see: a public one, or one it is in. Throws `channel_not_found` for any other. */
function visibleChannel(workspace: Workspace, reference: string): StoredChannel {
  const { state, app } = workspace;
  const channel = findChannel(state, reference);
  if (channel) needAccess(workspace, channel);
  if (!channel || !canSee(state, channel, app.botUserId)) throw new ApiError('channel_not_found');
  return channel;
}

/** A channel the bot may post in. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export function writableChannel(workspace: Workspace, reference: string): StoredChannel {
  const channel = visibleChannel(workspace, reference);
  if (channel.isArchived) throw new ApiError('is_archived');
  if (channel.kind === 'im') needMessagesTab(workspace);
  const mayWriteOutside = channel.kind === 'public' && workspace.app.scopes.includes('chat:write.public');
  if (!isIn(channel, workspace.app.botUserId) && !mayWriteOutside) throw new ApiError('not_in_channel');
  return channel;
}

/**
 * The direct message with a member; undefined if nobody has this id. One with a deactivated person takes messages if it
 * has been begun before. https://github.com/slackapi/python-slack-sdk/issues/1156
 */
export function memberChannel(workspace: Workspace, id: string): StoredChannel | undefined {
  const { state, app } = workspace;
  const member = state.members.find((candidate) => candidate.id === id && candidate.kind !== 'app');
  if (!member) return undefined;
  if (!mayAct(state, workspacesOf(state, member)) && member.kind !== 'stranger')
    throw new ApiError('team_access_not_granted');
  const parties = { botUserId: app.botUserId, memberId: member.id };
  if (member.isDeactivated && !begunDirectMessage(state, parties)) throw new ApiError('channel_not_found');
  needMessagesTab(workspace);
  return directMessage(state, { ...parties, nowMs: workspace.now() });
}

/** An organisation's app acts only in workspaces that it was added to. https://github.com/slackapi/bolt-js/issues/998 */
function needAccess({ state }: Workspace, channel: StoredChannel): void {
  if (state.organisation && !mayAct(state, workspacesWith(state, channel)))
    throw new ApiError('team_access_not_granted');
}

/** Direct messages need the app's Messages tab. */
function needMessagesTab({ app }: Workspace): void {
  if (app.messagesTab === 'off') throw new ApiError('messages_tab_disabled');
}

/** The `…:read` or `…:history` scope needed for this kind of channel. */
export function channelScope(channel: StoredChannel, what: 'read' | 'history'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind];
  return `${family}:${what}`;
}

/** Throws `missing_scope` as Slack does. */
export function needScope(workspace: Workspace, scope: string): void {
  const { scopes } = workspace.app;
  if (!scopes.includes(scope)) throw new ApiError('missing_scope', { needed: scope, provided: scopes.join(',') });
}

/** Unlike those that post, methods take channel ids only, not names. https://github.com/slackapi/python-slack-sdk/issues/1495 */
export function channelArg(workspace: Workspace, args: JsonObject): StoredChannel {
  const channel = channelById(workspace.state, requiredArg(args, 'channel'));
  if (channel) needAccess(workspace, channel);
  if (!channel || !canSee(workspace.state, channel, workspace.app.botUserId)) throw new ApiError('channel_not_found');
  return channel;
}
