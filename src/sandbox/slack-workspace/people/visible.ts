import type { Message, Snapshot } from '../people-api.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { canSee, channelById, isConfined, isIn } from '../state/channels.ts';
import { meet } from '../state/members.ts';
import { findMessage, isReply, repliesOf } from '../state/messages.ts';
import type {
  StoredChannel,
  StoredFile,
  StoredMember,
  StoredMessage,
  WorkspaceState,
} from '../state/workspace-state.ts';

/**
 * Returns true if a member sees a message: it is in a channel they can open and, if ephemeral, addressed to them. Ephemeral
 * replies are shown only in threads with other replies. https://docs.slack.dev/reference/methods/chat.postEphemeral
 */
function seesMessage(state: WorkspaceState, message: StoredMessage, memberId: string): boolean {
  const channel = channelById(state, message.channel);
  if (!channel || !canSee(state, channel, memberId)) return false;
  if (message.onlyFor === undefined) return true;
  if (message.onlyFor !== memberId) return false;
  return !isReply(message) || repliesOf(state, channel.id, message.threadTs ?? '').length > 0;
}

export function visibleMessage(
  state: WorkspaceState,
  memberId: string,
  channelId: string,
  ts: string,
): StoredMessage | undefined {
  const message = findMessage(state, channelId, ts);
  return message && seesMessage(state, message, memberId) ? message : undefined;
}

/** The messages a member sees in a channel and its threads, oldest first. */
export function visibleMessages(state: WorkspaceState, memberId: string, channel: StoredChannel): StoredMessage[] {
  return state.messages.filter((message) => message.channel === channel.id && seesMessage(state, message, memberId));
}

/** Returns the channels that a member sees; without a Messages tab, no direct messages with the app. */
export function visibleChannels({ state, app }: Workspace, memberId: string): StoredChannel[] {
  return state.channels.filter(
    (channel) => canSee(state, channel, memberId) && (channel.kind !== 'im' || app.messagesTab !== 'off'),
  );
}

/** A file is visible to members who can open a channel it was shared in. */
export function visibleFile(state: WorkspaceState, memberId: string, fileId: string): StoredFile | undefined {
  const file = state.files.find((candidate) => candidate.id === fileId);
  const shared = file?.channels.some((id) => {
    const channel = channelById(state, id);
    return channel && canSee(state, channel, memberId);
  });
  return shared ? file : undefined;
}

export function mayWrite(channel: StoredChannel, memberId: string): boolean {
  return isIn(channel, memberId) && !channel.isArchived;
}

/** Returns true if people can't write to the app here. */
export function isReadOnly({ app }: Workspace, channel: StoredChannel): boolean {
  return channel.kind === 'im' && app.messagesTab !== 'on';
}

/**
 * Returns true if lists of people show one person to another: guests and people of other organisations see people who are in a
 * channel with them. https://slack.com/help/articles/202518103-Understand-guest-roles-in-Slack
 */
export function isReachable(workspace: Workspace, viewerId: string, { id }: StoredMember): boolean {
  return id === viewerId || !isConfined(memberById(workspace, viewerId)) || meet(workspace.state, viewerId, id);
}

/** Returns the part of a snapshot for a session, which is named by the latest `ts` when it began: no ephemeral messages from before it. */
export function inSession(snapshot: Snapshot, session: string): Snapshot {
  const isHere = ({ ephemeral, ts }: Message) => !ephemeral || Number(ts) > Number(session);
  const messages = Object.entries(snapshot.messages).map(([id, all]) => [id, all.filter(isHere)]);
  return { ...snapshot, messages: Object.fromEntries(messages) };
}
