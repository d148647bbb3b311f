import type { StoredMessage, WorkspaceState } from './workspace-state.ts';

export function findMessage(state: WorkspaceState, channelId: string, ts: string): StoredMessage | undefined {
  return state.messages.find((message) => message.ts === ts && message.channel === channelId);
}

/** The non-ephemeral messages of a channel, oldest first. */
export function publicMessages(state: WorkspaceState, channelId: string): StoredMessage[] {
  return state.messages.filter((message) => message.channel === channelId && message.onlyFor === undefined);
}

/** The replies of a thread, oldest first, without the root. */
export function repliesOf(state: WorkspaceState, channelId: string, rootTs: string): StoredMessage[] {
  return publicMessages(state, channelId).filter((message) => message.threadTs === rootTs && message.ts !== rootTs);
}

/** The `ts` of the thread's root, for any of its messages. */
export function rootTsOf(message: StoredMessage): string {
  return message.threadTs ?? message.ts;
}

export function isReply(message: { ts: string; threadTs?: string }): boolean {
  return message.threadTs !== undefined && message.threadTs !== message.ts;
}

/** Removes a message. A root with replies remains as "This message was deleted" until its last reply is removed. */
export function removeMessage(state: WorkspaceState, message: StoredMessage): void {
  const hasReplies = repliesOf(state, message.channel, message.ts).length > 0;
  if (!hasReplies || message.onlyFor !== undefined) {
    state.messages = state.messages.filter((other) => other !== message);
    const root = isReply(message) ? findMessage(state, message.channel, message.threadTs ?? '') : undefined;
    if (root?.tombstone) removeMessage(state, root);
    return;
  }
  delete message.clientMsgId;
  delete message.metadata;
  delete message.reactions;
  const nothing = { blocks: [], attachments: [], fileIds: [], notifies: [] };
  Object.assign(message, { tombstone: true, text: 'This message was deleted.', ...nothing });
}
