import { messageEvent } from '../interactions/message-events.ts';
import type { JsonObject } from '../json.ts';
import type { Attachment, Block } from '../people-api.ts';
import { mentionedMembers } from '../state/mentions.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { channelOf, newTs, type Workspace } from './workspace.ts';

type NewMessage = {
  channel: string;
  userId: string;
  text: string;
  clientMsgId?: string;
  blocks?: Block[];
  attachments?: Attachment[];
  botId?: string;
  username?: string;
  threadTs?: string;
  broadcast?: boolean;
  onlyFor?: string;
  fileIds?: string[];
  metadata?: JsonObject;
};

/** Stores a message and sends message events to the app. */
export function storeMessage(workspace: Workspace, message: NewMessage): StoredMessage {
  const channel = channelOf(workspace, message.channel);
  const blocks = message.blocks ?? [];
  const stored: StoredMessage = {
    fileIds: [],
    ...message,
    ts: newTs(workspace),
    blocks,
    broadcast: message.broadcast ?? false,
    tombstone: false,
    notifies: mentionedMembers(workspace.state, channel, { ...message, blocks }),
    inputs: {},
  };
  workspace.state.messages.push(stored);
  if (stored.threadTs !== undefined && stored.onlyFor === undefined) startThread(workspace, stored);
  workspace.touch();
  if (stored.onlyFor === undefined) messageEvent(workspace, channel, stored);
  return stored;
}

/** A thread's root has its own `ts` as `thread_ts`. */
function startThread(workspace: Workspace, reply: StoredMessage): void {
  const root = findMessage(workspace.state, reply.channel, reply.threadTs ?? '');
  if (root) root.threadTs = root.ts;
}
