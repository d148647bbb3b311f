import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { canSee, channelById, findChannel, isIn } from '../state/channels.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { requiredArg } from './arguments.ts';

/** A channel that the bot can see: public ones, and those it is in. Others don't exist for it. */
export function visibleChannel(workspace: Workspace, reference: string): StoredChannel {
  const { state, app } = workspace;
  const channel = findChannel(state, reference);
  if (!channel || !canSee(state, channel, app.botUserId)) throw new ApiError('channel_not_found');
  return channel;
}

/** A channel that the bot may write in. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export function writableChannel(workspace: Workspace, reference: string): StoredChannel {
  const channel = visibleChannel(workspace, reference);
  if (channel.isArchived) throw new ApiError('is_archived');
  const mayWriteOutside = channel.kind === 'public' && workspace.app.scopes.includes('chat:write.public');
  if (!isIn(channel, workspace.app.botUserId) && !mayWriteOutside) throw new ApiError('not_in_channel');
  return channel;
}

/** Which `…:read` or `…:history` scope a kind of channel needs. */
export function channelScope(channel: StoredChannel, what: 'read' | 'history'): string {
  const family = { public: 'channels', private: 'groups', im: 'im' }[channel.kind];
  return `${family}:${what}`;
}

/** Refuses with `missing_scope`, naming what is needed, as Slack does. */
export function needScope(workspace: Workspace, scope: string): void {
  const { scopes } = workspace.app;
  if (!scopes.includes(scope)) throw new ApiError('missing_scope', { needed: scope, provided: scopes.join(',') });
}

/** Unlike `chat.*`, these methods take ids only, not names. */
export function channelArg(workspace: Workspace, args: JsonObject): StoredChannel {
  const channel = channelById(workspace.state, requiredArg(args, 'channel'));
  if (!channel || !canSee(workspace.state, channel, workspace.app.botUserId)) throw new ApiError('channel_not_found');
  return channel;
}
