import { workflowsFor } from '../interactions/workflows.ts';
import { objectAt, stringAt } from '../json.ts';
import type { Channel, FileInfo, HomeView, InstalledApp, Member, Message, OpenView, Snapshot } from '../people-api.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { presenceOf } from '../state/members.ts';
import { isReply, repliesOf } from '../state/messages.ts';
import { blocksOf, homeOf, modalStack, titleOf } from '../state/views.ts';
import type {
  StoredChannel,
  StoredFile,
  StoredMember,
  StoredMessage,
  StoredView,
  WorkspaceState,
} from '../state/workspace-state.ts';
import { offeredByApp } from './offered.ts';
import { attachmentSeenBy, blocksSeenBy } from './operate-element.ts';
import { isReachable, isReadOnly, visibleChannels, visibleMessages } from './visible.ts';
import { runsOf, workflowOffer } from './workflow-runs.ts';

const PREVIEW_CHARACTERS = 2000;

/** Returns a snapshot that later changes leave alone. It shares messages' and views' blocks with the state, which replaces them, and never changes them. */
export function snapshotFor(workspace: Workspace, memberId: string): Snapshot {
  const { state } = workspace;
  const channels = visibleChannels(workspace, memberId);
  const home = homeOf(state, memberId);
  return {
    revision: workspace.revision(),
    team: state.team,
    me: memberFor(workspace, memberById(workspace, memberId), memberId),
    locale: memberById(workspace, memberId).locale ?? 'en-US',
    members: state.members.map((member) => memberFor(workspace, member, memberId)),
    groups: structuredClone(state.groups),
    app: installedApp(workspace, memberId),
    channels: channels.map((channel) => channelFor(workspace, channel, memberId)),
    messages: Object.fromEntries(
      channels.map((channel) => [
        channel.id,
        visibleMessages(state, memberId, channel).map((message) => messageFor(workspace, message, memberId)),
      ]),
    ),
    statuses: workspace.statuses.shown().filter((status) => channels.some(({ id }) => id === status.channel)),
    unreadDirect: unreadDirect(state),
    modals: modalStack(state, memberId).map(openView),
    workflows: workflowsFor(workspace, memberId).map((workflow) => workflowOffer(workspace, workflow)),
    workflowRuns: runsOf(workspace, memberId),
    ...(home && !memberById(workspace, memberId).isDeactivated && { home: homeView(home) }),
  };
}

function memberFor(workspace: Workspace, member: StoredMember, viewerId: string): Member {
  const { isAway: _, ...shown } = publicMember(member);
  return {
    ...shown,
    ...(presenceOf(member, workspace.app) === 'away' && { isAway: true }),
    ...(!isReachable(workspace, viewerId, member) && { isOutOfReach: true }),
  };
}

export function publicMember(stored: StoredMember): Member {
  const { email: _, enterpriseUserId: __, locale: ___, updatedAt: ____, workspaceIds: _____, ...member } = stored;
  return member;
}

function installedApp(workspace: Workspace, memberId: string): InstalledApp {
  const { appId, botId, botUserId, name, homeTab, delivery } = workspace.app;
  const { commands, shortcuts } = offeredByApp(workspace, memberById(workspace, memberId));
  return {
    appId,
    botId,
    botUserId,
    name,
    commands: commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
    shortcuts,
    hasHomeTab: homeTab,
    delivery: delivery.mode,
    reachable: workspace.transport.reachable(),
  };
}

function channelFor(workspace: Workspace, channel: StoredChannel, memberId: string): Channel {
  const lastReadTs = workspace.state.reads[channel.id]?.[memberId] ?? '0';
  const unread = visibleMessages(workspace.state, memberId, channel).filter(
    ({ ts, userId, tombstone, notice, onlyFor }) =>
      // Ephemeral messages don't make a channel unread and can't be marked as read. Nor does who comes and goes.
      Number(ts) > Number(lastReadTs) && userId !== memberId && !tombstone && !notice && onlyFor === undefined,
  );
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    topic: channel.topic,
    isArchived: channel.isArchived,
    isShared: channel.isShared,
    isMember: isIn(channel, memberId),
    memberIds: [...channel.memberIds],
    unread: unread.filter((message) => !isReply(message) || message.broadcast).length,
    mentions: unread.filter(({ notifies }) => channel.kind === 'im' || notifies.includes(memberId)).length,
    lastReadTs,
    isReadOnly: isReadOnly(workspace, channel),
  };
}

function messageFor(workspace: Workspace, message: StoredMessage, memberId: string): Message {
  const files = message.fileIds.flatMap((id) => workspace.state.files.find((file) => file.id === id) ?? []);
  const thread = threadFacts(workspace, message);
  return {
    channel: message.channel,
    ts: message.ts,
    userId: message.userId,
    text: message.text,
    blocks: blocksSeenBy(memberId, message.blocks),
    files: files.map((file) => fileInfo(file, memberId)),
    ephemeral: message.onlyFor !== undefined,
    broadcast: message.broadcast,
    tombstone: message.tombstone,
    notice: message.notice !== undefined,
    reactions: (message.reactions ?? []).map(({ name, users }) => ({ name, userIds: [...users] })),
    notifies: message.notifies,
    ...(message.attachments && { attachments: message.attachments.map((one) => attachmentSeenBy(memberId, one)) }),
    ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
    ...(message.username !== undefined && { username: message.username }),
    ...(message.editedTs !== undefined && { editedAt: Math.floor(Number(message.editedTs) * 1000) }),
    ...(thread && { thread }),
  };
}

function threadFacts(workspace: Workspace, message: StoredMessage): Message['thread'] {
  if (message.threadTs !== message.ts) return undefined;
  const replies = repliesOf(workspace.state, message.channel, message.ts);
  return {
    replyCount: replies.length,
    replyUserIds: [...new Set(replies.map((reply) => reply.userId))],
    latestReplyTs: replies.at(-1)?.ts ?? message.ts,
  };
}

function fileInfo(file: StoredFile, memberId: string): FileInfo {
  const bytes = Buffer.from(file.contentBase64 ?? '', 'base64');
  const isText = /^text\/|json$/.test(file.mimetype);
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    sizeBytes: file.sizeBytes,
    url: `/api/files/${file.id}?as=${memberId}`,
    ...(isText && { preview: bytes.toString('utf8').slice(0, PREVIEW_CHARACTERS) }),
  };
}

function openView(view: StoredView): OpenView {
  const submit = stringAt(objectAt(view.source, 'submit'), 'text');
  return {
    id: view.id,
    hash: view.hash,
    title: titleOf(view),
    closeLabel: stringAt(objectAt(view.source, 'close'), 'text') ?? 'Cancel',
    blocks: blocksOf(view),
    inputs: { ...view.inputs },
    errors: view.errors,
    isSubmitting: view.isSubmitting,
    ...(submit !== undefined && { submitLabel: submit }),
    ...(view.problem !== undefined && { problem: view.problem }),
  };
}

function homeView(view: StoredView): HomeView {
  return { id: view.id, hash: view.hash, blocks: blocksOf(view), inputs: { ...view.inputs } };
}

/** Returns the number of direct messages from the app that each person hasn't read, for those with any. */
function unreadDirect({ channels, messages, reads }: WorkspaceState): { [memberId: string]: number } {
  const personIn = new Map(channels.filter(({ kind }) => kind === 'im').map(({ id, memberIds }) => [id, memberIds[0]]));
  const counts: { [memberId: string]: number } = {};
  for (const { channel, ts, userId, tombstone, onlyFor } of messages) {
    const person = personIn.get(channel);
    if (person === undefined || userId === person || tombstone || onlyFor !== undefined) continue;
    if (Number(ts) > Number(reads[channel]?.[person] ?? 0)) counts[person] = (counts[person] ?? 0) + 1;
  }
  return counts;
}
