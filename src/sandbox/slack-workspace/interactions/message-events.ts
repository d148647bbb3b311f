import { messageJson } from '../api/message-json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredChannel, StoredMessage } from '../state/workspace-state.ts';
import { sendEvent } from './event-payload.ts';

const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im' } as const;
const SUBSCRIPTIONS = { public: 'message.channels', private: 'message.groups', im: 'message.im' } as const;
const HISTORY = { public: 'channels:history', private: 'groups:history', im: 'im:history' } as const;

/**
 * Sends message events for channels the app is in, if it subscribed and has the scope; for its own messages too.
 * https://docs.slack.dev/reference/events/message
 */
export function messageEvent(workspace: Workspace, channel: StoredChannel, message: StoredMessage): void {
  const { app } = workspace;
  if (!channel.memberIds.includes(app.botUserId)) return;
  const facts = { channel: channel.id, event_ts: message.ts, channel_type: CHANNEL_TYPES[channel.kind] };
  if (app.scopes.includes(HISTORY[channel.kind]))
    sendEvent(workspace, SUBSCRIPTIONS[channel.kind], { ...messageJson(workspace, message), ...facts });
  if (message.text.includes(`<@${app.botUserId}>`) && app.scopes.includes('app_mentions:read'))
    sendEvent(workspace, 'app_mention', { ...messageJson(workspace, message), ...facts, type: 'app_mention' });
}
