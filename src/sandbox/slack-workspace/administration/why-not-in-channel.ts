import { memberById, type Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import type { StoredChannel } from '../state/workspace-state.ts';

/** Why nobody can add this member to a channel; undefined if they can be added. */
export function whyNotInChannel(workspace: Workspace, channel: StoredChannel, userId: string): string | undefined {
  const { realName, kind, isDeactivated } = memberById(workspace, userId);
  if (channel.isArchived) return `#${channel.name} is archived.`;
  if (isDeactivated) return `${realName} is deactivated.`;
  if (kind === 'stranger' && !channel.isShared)
    return `${realName} is from another organisation, with which #${channel.name} isn’t shared.`;
  if (kind === 'channel-guest' && isElsewhere(workspace, channel, userId))
    return `${realName} is a guest in one channel, and is in another already.`;
  return undefined;
}

/** `ura_max_channels`: https://docs.slack.dev/reference/methods/conversations.invite#errors */
function isElsewhere({ state }: Workspace, { id }: StoredChannel, userId: string): boolean {
  return state.channels.some((channel) => channel.kind !== 'im' && channel.id !== id && isIn(channel, userId));
}
