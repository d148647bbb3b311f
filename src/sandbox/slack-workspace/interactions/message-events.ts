import { messageJson } from '../api/message-json.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { sendEvent } from './events.ts';
import { actionTs } from './payload-facts.ts';

const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im' } as const;
const SUBSCRIPTIONS = { public: 'message.channels', private: 'message.groups', im: 'message.im' } as const;

/**
 * Sends message events for channels the app is in, if it subscribed and has the scope; for its own messages too.
 * https://docs.slack.dev/reference/events/message
 */
export function messageEvent(workspace: Workspace, channel: StoredChannel, message: StoredMessage): void {
  const posted = message.fileIds.length > 0 ? withFiles(workspace, message) : messageJson(workspace, message);
  const event = { ...posted, channel: channel.id, event_ts: message.ts };
  send(workspace, channel, { ...event, channel_type: CHANNEL_TYPES[channel.kind] });
  if (!message.notice && message.text.includes(`<@${workspace.app.botUserId}>`))
    sendEvent(workspace, 'app_mention', { ...event, type: 'app_mention' }, channel);
  for (const fileId of message.fileIds) fileShared(workspace, channel, { userId: message.userId, fileId });
}

/**
 * https://docs.slack.dev/reference/events/message/file_share, whose payload has no `team`:
 * https://github.com/slackapi/slack-api-specs/issues/62
 */
function withFiles(workspace: Workspace, message: StoredMessage): JsonObject {
  const { team: _, ...posted } = messageJson(workspace, message);
  return { ...posted, subtype: 'file_share', upload: true, display_as_bot: false };
}

/** https://docs.slack.dev/reference/events/file_shared */
function fileShared(workspace: Workspace, channel: StoredChannel, shared: { userId: string; fileId: string }): void {
  const { userId, fileId } = shared;
  const event = {
    type: 'file_shared',
    channel_id: channel.id,
    file_id: fileId,
    user_id: userId,
    file: { id: fileId },
    event_ts: actionTs(workspace),
  };
  sendEvent(workspace, 'file_shared', event, channel);
}

type Changed = { message: StoredMessage; previous: JsonObject };

/** https://docs.slack.dev/reference/events/message/message_changed */
export function messageChanged(workspace: Workspace, channel: StoredChannel, { message, previous }: Changed): void {
  send(workspace, channel, {
    ...hidden(workspace, channel, 'message_changed'),
    message: messageJson(workspace, message),
    previous_message: previous,
  });
}

/** https://docs.slack.dev/reference/events/message/message_deleted */
export function messageDeleted(workspace: Workspace, channel: StoredChannel, { message, previous }: Changed): void {
  send(workspace, channel, {
    ...hidden(workspace, channel, 'message_deleted'),
    deleted_ts: message.ts,
    previous_message: previous,
  });
}

/** Returns the fields of events about a message that are no message themselves. Their `ts` is their own. */
function hidden(workspace: Workspace, channel: StoredChannel, subtype: string): JsonObject {
  const ts = actionTs(workspace);
  const channel_type = CHANNEL_TYPES[channel.kind];
  return { type: 'message', subtype, hidden: true, channel: channel.id, channel_type, ts, event_ts: ts };
}

function send(workspace: Workspace, channel: StoredChannel, event: JsonObject): void {
  sendEvent(workspace, SUBSCRIPTIONS[channel.kind], event, channel);
}
