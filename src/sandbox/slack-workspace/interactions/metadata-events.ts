import { type JsonObject, stringAt } from '../json.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { type SentEvent, sendEvent } from './events.ts';
import { actionTs } from './payload-facts.ts';

type Metadata = JsonObject | undefined;

/**
 * Tells the app of metadata that came with a message, was changed or went, if its manifest subscribes to that type of
 * metadata. https://docs.slack.dev/reference/events/message_metadata_posted, …_updated, …_deleted
 */
export function metadataEvent(
  workspace: Workspace,
  message: StoredMessage,
  { before, after }: { before: Metadata; after: Metadata },
): void {
  if (message.onlyFor !== undefined || JSON.stringify(before) === JSON.stringify(after)) return;
  const at = actionTs(workspace);
  if (before === undefined) send(workspace, message, 'posted', { metadata: after, event_ts: message.ts });
  else if (after === undefined)
    send(workspace, message, 'deleted', { previous_metadata: before, deleted_ts: at, event_ts: at });
  else send(workspace, message, 'updated', { previous_metadata: before, metadata: after, event_ts: at });
}

type Facts = { metadata?: Metadata; previous_metadata?: JsonObject; deleted_ts?: string; event_ts: string };

function send(
  workspace: Workspace,
  message: StoredMessage,
  what: 'posted' | 'updated' | 'deleted',
  facts: Facts,
): void {
  const { app, state } = workspace;
  if (!isSubscribed(workspace, stringAt(facts.metadata ?? facts.previous_metadata, 'event_type'))) return;
  const type = `message_metadata_${what}` as const satisfies SentEvent;
  const { metadata = {}, ...others } = facts;
  const event = {
    type,
    app_id: app.appId,
    bot_id: app.botId,
    user_id: message.userId,
    team_id: state.team.id,
    channel_id: message.channel,
    ...(facts.metadata && { metadata }),
    ...others,
    message_ts: message.ts,
  };
  sendEvent(workspace, type, event, channelOf(workspace, message.channel));
}

/** `metadata_subscriptions`: https://docs.slack.dev/messaging/message-metadata, where “either (but not both) can be a wildcard” */
function isSubscribed({ app }: Workspace, type: string | undefined): boolean {
  return app.metadataSubscriptions.some(
    ({ appId, eventType }) => ['*', app.appId].includes(appId) && ['*', type].includes(eventType),
  );
}
