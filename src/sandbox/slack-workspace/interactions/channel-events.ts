import { channelJson } from '../api/channel-json.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { sendEvent } from './event-payload.ts';
import { actionTs } from './payload-facts.ts';

/** https://docs.slack.dev/reference/events/channel_created: public channels only */
export function channelCreated(workspace: Workspace, channel: StoredChannel): void {
  if (channel.kind !== 'public') return;
  const { is_member: _, topic: __, purpose: ___, ...facts } = channelJson(workspace, channel);
  const event = { type: 'channel_created', channel: facts, event_ts: actionTs(workspace) };
  sendEvent(workspace, 'channel_created', event);
}

/**
 * https://docs.slack.dev/reference/events/channel_rename, https://docs.slack.dev/reference/events/group_rename
 */
export function channelRenamed(workspace: Workspace, channel: StoredChannel): void {
  const { id, name, created, kind } = channel;
  const facts = { id, name, name_normalized: name, created, is_channel: kind === 'public', is_mpim: false };
  channelEvent(workspace, channel, { what: 'rename', facts: { channel: facts } });
}

/**
 * https://docs.slack.dev/reference/events/channel_archive, https://docs.slack.dev/reference/events/channel_unarchive and
 * their `group_…` for private channels, of which `GroupUnarchiveEvent` in @slack/types names the person otherwise
 */
export function channelArchived(workspace: Workspace, channel: StoredChannel, actorId: string): void {
  const { id, isArchived, kind } = channel;
  const actor = kind === 'private' && !isArchived ? { actor_id: actorId } : { user: actorId };
  const facts = { channel: id, ...actor, ...(isArchived && { is_moved: 0 }) };
  channelEvent(workspace, channel, { what: isArchived ? 'archive' : 'unarchive', facts });
}

/** Of private channels only their members are told. */
function channelEvent(
  workspace: Workspace,
  channel: StoredChannel,
  { what, facts }: { what: 'rename' | 'archive' | 'unarchive'; facts: JsonObject },
): void {
  const type = `${channel.kind === 'public' ? 'channel' : 'group'}_${what}` as const;
  const event = { type, ...facts, event_ts: actionTs(workspace) };
  sendEvent(workspace, type, event, channel.kind === 'public' ? undefined : channel);
}
