import { sendEvent } from '../interactions/events.ts';
import { actionTs } from '../interactions/payload-facts.ts';
import { addMember, isIn, removeMember } from '../state/channels.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { storeMessage } from './messages.ts';
import { memberById, type Workspace } from './workspace.ts';

/** Adds a member to a channel, unless they are in it, and tells the channel and the app. https://docs.slack.dev/reference/events/member_joined_channel */
export function joinChannel(
  workspace: Workspace,
  channel: StoredChannel,
  joining: { userId: string; inviter?: string },
): void {
  const { userId, inviter } = joining;
  if (isIn(channel, userId)) return;
  addMember(channel, userId);
  workspace.touch();
  const event = { ...membership(workspace, channel, userId), ...(inviter !== undefined && { inviter }) };
  sendEvent(workspace, 'member_joined_channel', { type: 'member_joined_channel', ...event }, channel);
  const notice = { subtype: 'channel_join', ...(inviter !== undefined && { inviter }) } as const;
  storeMessage(workspace, { channel: channel.id, userId, text: `<@${userId}> has joined the channel`, notice });
}

/**
 * Removes a member from a channel, if they are in it, and notifies the channel and the app. The app has another event for its own removal.
 * https://docs.slack.dev/reference/events/member_left_channel
 */
export function leaveChannel(
  workspace: Workspace,
  channel: StoredChannel,
  { userId, actorId }: { userId: string; actorId: string },
): void {
  if (!isIn(channel, userId)) return;
  removeMember(channel, userId);
  workspace.touch();
  const event = { type: 'member_left_channel', ...membership(workspace, channel, userId) };
  if (userId === workspace.app.botUserId) appLeft(workspace, channel, actorId);
  else sendEvent(workspace, 'member_left_channel', event, channel);
  const text = `<@${userId}> has left the channel`;
  storeMessage(workspace, { channel: channel.id, userId, text, notice: { subtype: 'channel_leave' } });
}

/** https://docs.slack.dev/reference/events/channel_left, https://docs.slack.dev/reference/events/group_left */
function appLeft(workspace: Workspace, channel: StoredChannel, actorId: string): void {
  const type = channel.kind === 'public' ? 'channel_left' : 'group_left';
  sendEvent(workspace, type, { type, channel: channel.id, actor_id: actorId, event_ts: actionTs(workspace) });
}

/**
 * The type is the letter of the channel's id, which is C for private channels, too, since March 2021; the team is the
 * person's. https://docs.slack.dev/reference/events/member_joined_channel
 */
function membership(workspace: Workspace, channel: StoredChannel, userId: string) {
  return {
    user: userId,
    channel: channel.id,
    channel_type: channel.id.slice(0, 1),
    team: memberById(workspace, userId).teamId,
    event_ts: actionTs(workspace),
  };
}
