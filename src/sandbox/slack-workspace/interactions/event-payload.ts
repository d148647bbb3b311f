import { deliver } from '../delivery/deliver.ts';
import type { Outgoing } from '../delivery/transport.ts';
import type { JsonObject } from '../json.ts';
import { mayHear, type SentEvent } from '../runtime/bot-events.ts';
import { newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import type { StoredChannel } from '../state/workspace-state.ts';

/** Slack retries an event immediately, after a minute, and after five. https://docs.slack.dev/apis/events-api#retries */
const RETRY_AFTER_MS = [0, 60_000, 300_000];

/**
 * Sends an event, with Slack's retries, if the app subscribed to it, has the scope and, for an event of a channel, is in
 * the channel. Doesn't wait for delivery. https://docs.slack.dev/apis/events-api#callback-field
 */
export function sendEvent(
  workspace: Workspace,
  subscription: SentEvent,
  event: JsonObject,
  channel?: StoredChannel,
): void {
  const { app, state } = workspace;
  if (!app.events.includes(subscription) || !mayHear(subscription, app.scopes, channel?.kind)) return;
  if (channel && !isIn(channel, app.botUserId)) return;
  const payload: JsonObject = {
    token: app.verificationToken,
    team_id: state.team.id,
    context_team_id: state.team.id,
    context_enterprise_id: null,
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: newId(workspace, 'Ev'),
    event_time: nowSeconds(workspace),
    authorizations: [
      {
        enterprise_id: null,
        team_id: state.team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel?.isShared ?? false,
    event_context: newId(workspace, 'EC'),
  };
  void attempt(workspace, { kind: 'events_api', name: String(event.type), payload, acceptsResponse: false }, 0);
}

async function attempt(workspace: Workspace, outgoing: Outgoing, tried: number): Promise<void> {
  const delivered = await deliver(workspace, outgoing);
  const pauseMs = RETRY_AFTER_MS[tried];
  if (delivered.ok || delivered.noRetry || pauseMs === undefined) return;
  const reason = {
    timeout: 'http_timeout',
    unreachable: 'connection_failed',
    http_error: 'http_error',
    dropped: 'timeout',
    not_configured: 'connection_failed',
  };
  const retry = { attempt: tried + 1, reason: reason[delivered.reason] };
  setTimeout(() => void attempt(workspace, { ...outgoing, retry }, tried + 1), pauseMs).unref();
}
