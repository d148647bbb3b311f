// Channels: created, changed, and who is in them.

import { channelArchived, channelCreated, channelIdChanged, channelRenamed } from '../interactions/workspace-events.ts';
import { joinChannel, leaveChannel } from '../runtime/membership.ts';
import { storeMessage } from '../runtime/messages.ts';
import { memberById, newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { channelById, giveNewId, isIn } from '../state/channels.ts';
import type { StoredChannel, WorkspaceState } from '../state/workspace-state.ts';
import type { ChannelChange } from './change.ts';

/** Applies a change of channels and tells the app. Returns why it can't be made, if it can't. */
export function changeChannels(workspace: Workspace, actorId: string, change: ChannelChange): string | undefined {
  if (change.kind === 'create-channel') return createChannel(workspace, actorId, change);
  const channel = channelById(workspace.state, change.channel);
  if (!channel || channel.kind === 'im') return 'There is no such channel.';
  switch (change.kind) {
    case 'rename-channel':
      return rename(workspace, channel, { actorId, name: change.name });
    case 'share-channel':
      return share(workspace, channel);
    case 'archive-channel':
      return archive(workspace, channel, actorId);
    case 'unarchive-channel':
      return setArchived(workspace, channel, { actorId, isArchived: false });
    case 'add-to-channel': {
      const refusal = whyNotInChannel(workspace, channel, change.person);
      if (refusal === undefined) joinChannel(workspace, channel, { userId: change.person, inviter: actorId });
      return refusal;
    }
    case 'remove-from-channel':
      leaveChannel(workspace, channel, { userId: change.person, actorId });
      return undefined;
  }
}

type NewChannel = { name: string; isPrivate: boolean; workspaceIds?: string[] };

function createChannel(workspace: Workspace, actorId: string, channel: NewChannel): string | undefined {
  const refusal = whyNotCalled(workspace, channel.name);
  if (refusal === undefined) addChannel(workspace, actorId, channel);
  return refusal;
}

/** Adds a channel whose name may be taken, with the one who creates it in it, and tells the app. */
export function addChannel(
  workspace: Workspace,
  actorId: string,
  { name, isPrivate, workspaceIds }: NewChannel,
): StoredChannel {
  const channel: StoredChannel = {
    id: newId(workspace, 'C'),
    name,
    kind: isPrivate ? 'private' : 'public',
    topic: '',
    isArchived: false,
    isShared: false,
    memberIds: [actorId],
    created: nowSeconds(workspace),
    ...(workspaceIds && { workspaceIds }),
  };
  workspace.state.channels.push(channel);
  workspace.touch();
  channelCreated(workspace, channel);
  return channel;
}

function rename(
  workspace: Workspace,
  channel: StoredChannel,
  { actorId, name }: { actorId: string; name: string },
): string | undefined {
  if (name === channel.name) return undefined;
  if (channel.isArchived) return 'An archived channel can’t be renamed.';
  const refusal = whyNotCalled(workspace, name);
  if (refusal !== undefined) return refusal;
  const notice = { subtype: 'channel_name', old_name: channel.name, name } as const;
  const text = `<@${actorId}> has renamed the channel from "${channel.name}" to "${name}"`;
  channel.name = name;
  workspace.touch();
  channelRenamed(workspace, channel);
  storeMessage(workspace, { channel: channel.id, userId: actorId, text, notice });
  return undefined;
}

/** The id of a private channel changes when its sharing begins. https://docs.slack.dev/reference/events/channel_id_changed */
function share(workspace: Workspace, channel: StoredChannel): string | undefined {
  if (channel.isArchived) return 'An archived channel can’t be shared.';
  if (channel.isShared) return `#${channel.name} is shared already.`;
  channel.isShared = true;
  const oldId = channel.id;
  if (channel.kind === 'private') giveNewId(workspace.state, channel);
  workspace.touch();
  if (channel.id !== oldId) channelIdChanged(workspace, channel, oldId);
  return undefined;
}

/** https://docs.slack.dev/reference/methods/conversations.create#naming */
function whyNotCalled({ state }: Workspace, name: string): string | undefined {
  if (!/^[a-z0-9_-]{1,80}$/.test(name))
    return 'Channel names have lower-case letters, digits, hyphens and underscores only, 80 at most.';
  return isNameTaken(state, name) ? `There is a channel #${name} already.` : undefined;
}

export function isNameTaken({ channels }: WorkspaceState, name: string): boolean {
  return channels.some((channel) => channel.kind !== 'im' && channel.name === name);
}

/** `cant_archive_general`: https://docs.slack.dev/reference/methods/conversations.archive#errors */
function archive(workspace: Workspace, channel: StoredChannel, actorId: string): string | undefined {
  if (channel.name === 'general') return 'You can’t archive #general.';
  return setArchived(workspace, channel, { actorId, isArchived: true });
}

function setArchived(
  workspace: Workspace,
  channel: StoredChannel,
  { actorId, isArchived }: { actorId: string; isArchived: boolean },
): undefined {
  if (channel.isArchived === isArchived) return;
  channel.isArchived = isArchived;
  workspace.touch();
  channelArchived(workspace, channel, actorId);
}

/** Why nobody can add this member to a channel; undefined if they can be added. */
export function whyNotInChannel(workspace: Workspace, channel: StoredChannel, userId: string): string | undefined {
  const { realName, kind, isDeactivated } = memberById(workspace, userId);
  if (channel.isArchived) return `#${channel.name} is archived.`;
  if (isDeactivated) return `${realName} is deactivated.`;
  if (kind === 'stranger' && !channel.isShared)
    return `${realName} is from another organisation, with which #${channel.name} isn’t shared.`;
  if (kind === 'channel-guest' && isElsewhere(workspace.state, channel, userId))
    return `${realName} is a guest in one channel, and is in another already.`;
  return undefined;
}

/** `ura_max_channels`: https://docs.slack.dev/reference/methods/conversations.invite#errors */
export function isElsewhere({ channels }: WorkspaceState, { id }: StoredChannel, userId: string): boolean {
  return channels.some((channel) => channel.kind !== 'im' && channel.id !== id && isIn(channel, userId));
}
