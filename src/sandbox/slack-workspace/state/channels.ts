import { nextId } from './identifiers.ts';
import { haveInCommon, workspacesOf, workspacesWith } from './organisation.ts';
import type { StoredChannel, StoredMember, WorkspaceState } from './workspace-state.ts';

export function channelById(state: WorkspaceState, id: string): StoredChannel | undefined {
  return state.channels.find((channel) => channel.id === id);
}

/** Finds a channel by id, `#name` or `name`. */
export function findChannel(state: WorkspaceState, reference: string): StoredChannel | undefined {
  const name = reference.replace(/^#/, '');
  return (
    channelById(state, reference) ?? state.channels.find((channel) => channel.kind !== 'im' && channel.name === name)
  );
}

export function isIn(channel: StoredChannel, memberId: string): boolean {
  return channel.memberIds.includes(memberId);
}

/** Full members can open the public channels of their workspaces; everyone else only channels they are in; deactivated people none. */
export function canSee(state: WorkspaceState, channel: StoredChannel, memberId: string): boolean {
  const member = state.members.find((candidate) => candidate.id === memberId);
  if (member?.isDeactivated) return false;
  if (isIn(channel, memberId)) return true;
  if (channel.kind !== 'public') return false;
  return !member || (!isConfined(member) && haveInCommon(workspacesOf(state, member), workspacesWith(state, channel)));
}

/** Guests and strangers are confined to the channels they were added to. */
export function isConfined({ kind }: StoredMember): boolean {
  return ['guest', 'channel-guest', 'stranger'].includes(kind);
}

export function addMember(channel: StoredChannel, memberId: string): void {
  if (!isIn(channel, memberId)) channel.memberIds.push(memberId);
}

export function removeMember(channel: StoredChannel, memberId: string): void {
  channel.memberIds = channel.memberIds.filter((id) => id !== memberId);
}

/** The direct message between the app's bot and a member, once there is one. */
export function begunDirectMessage(
  { channels }: WorkspaceState,
  { botUserId, memberId }: { botUserId: string; memberId: string },
): StoredChannel | undefined {
  return channels.find((channel) => channel.kind === 'im' && isIn(channel, botUserId) && isIn(channel, memberId));
}

/** Finds or creates the direct message between the app's bot and a member. */
export function directMessage(
  state: WorkspaceState,
  parties: { botUserId: string; memberId: string; nowMs: number },
): StoredChannel {
  const { botUserId, memberId, nowMs } = parties;
  const existing = begunDirectMessage(state, parties);
  if (existing) return existing;
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

/** Its messages, files and what people have read of it stay with it; nothing is found by the old id any more. */
export function giveNewId(state: WorkspaceState, channel: StoredChannel): void {
  const oldId = channel.id;
  channel.id = nextId(state, 'C');
  for (const message of state.messages) if (message.channel === oldId) message.channel = channel.id;
  for (const file of state.files) file.channels = file.channels.map((id) => (id === oldId ? channel.id : id));
  const { [oldId]: read, ...others } = state.reads;
  state.reads = { ...others, ...(read && { [channel.id]: read }) };
}
