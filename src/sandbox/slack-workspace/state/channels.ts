import { nextId } from './identifiers.ts';
import type { StoredChannel, StoredMember, WorkspaceState } from './workspace-state.ts';

export function channelById(state: WorkspaceState, id: string): StoredChannel | undefined {
  return state.channels.find((channel) => channel.id === id);
}

/** By id, `#name` or `name`. */
export function findChannel(state: WorkspaceState, reference: string): StoredChannel | undefined {
  const name = reference.replace(/^#/, '');
  return (
    channelById(state, reference) ?? state.channels.find((channel) => channel.kind !== 'im' && channel.name === name)
  );
}

export function isIn(channel: StoredChannel, memberId: string): boolean {
  return channel.memberIds.includes(memberId);
}

/** Full members can open public channels; everyone else only channels they are in. */
export function canSee(state: WorkspaceState, channel: StoredChannel, memberId: string): boolean {
  if (isIn(channel, memberId)) return true;
  const member = state.members.find((candidate) => candidate.id === memberId);
  return channel.kind === 'public' && !(member && isConfined(member));
}

/** Guests and strangers are confined to the channels they were added to. */
function isConfined({ kind }: StoredMember): boolean {
  return ['guest', 'channel-guest', 'stranger'].includes(kind);
}

export function addMember(channel: StoredChannel, memberId: string): void {
  if (!isIn(channel, memberId)) channel.memberIds.push(memberId);
}

export function removeMember(channel: StoredChannel, memberId: string): void {
  channel.memberIds = channel.memberIds.filter((id) => id !== memberId);
}

/** Finds or creates the direct message between the app's bot and a member. */
export function directMessage(
  state: WorkspaceState,
  parties: { botUserId: string; memberId: string; nowMs: number },
): StoredChannel {
  const { botUserId, memberId, nowMs } = parties;
  const found = state.channels.find((c) => c.kind === 'im' && isIn(c, botUserId) && isIn(c, memberId));
  if (found) return found;
  const made: StoredChannel = {
    id: nextId(state, 'D'),
    name: state.members.find((member) => member.id === botUserId)?.realName ?? 'app',
    kind: 'im',
    topic: '',
    isArchived: false,
    isShared: false,
    memberIds: [memberId, botUserId],
    created: Math.floor(nowMs / 1000),
  };
  state.channels.push(made);
  return made;
}
