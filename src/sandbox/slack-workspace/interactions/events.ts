// The way of events to the app, and which of them it may receive.

import { deliver } from '../delivery/deliver.ts';
import type { Outgoing } from '../delivery/transport.ts';
import { type JsonObject, stringAt } from '../json.ts';
import { SCOPE_OF_EVENT } from '../runtime/manifest-schema.ts';
import { newId, nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { grantedIds, workspacesWith } from '../state/organisation.ts';
import type { StoredChannel } from '../state/workspace-state.ts';

/** Slack retries an event immediately, after a minute, and after five. https://docs.slack.dev/apis/events-api#retries */
export const EVENT_RETRIES_MS: readonly number[] = [0, 60_000, 300_000];

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
  void deliverEvent(workspace, subscription, event, channel);
}

/**
 * Sends an event likewise, and resolves to whether the app has acknowledged it: not if its first answer took too long, or
 * if no retry of a delivery that failed otherwise has reached it.
 */
export async function deliverEvent(
  workspace: Workspace,
  subscription: SentEvent,
  event: JsonObject,
  channel?: StoredChannel,
): Promise<boolean> {
  const { app, state } = workspace;
  if (!app.events.includes(subscription) || !mayHear(subscription, app.scopes, channel?.kind)) return false;
  if (channel && !isIn(channel, app.botUserId)) return false;
  const workspaces = channel ? workspacesWith(state, channel) : grantedIds(state);
  const teamId = workspaces.find((id) => grantedIds(state).includes(id));
  if (channel && teamId === undefined) return false;
  const { organisation } = state;
  const payload: JsonObject = {
    token: app.verificationToken,
    team_id: strangersTeam(workspace, event) ?? teamId ?? state.team.id,
    context_team_id: teamId ?? state.team.id,
    context_enterprise_id: organisation?.id ?? null,
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: newId(workspace, 'Ev'),
    event_time: nowSeconds(workspace),
    authorizations: [
      {
        enterprise_id: organisation?.id ?? null,
        team_id: organisation ? null : state.team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: organisation !== undefined,
      },
    ],
    is_ext_shared_channel: channel?.isShared ?? false,
    event_context: newId(workspace, 'EC'),
  };
  return attempt(workspace, { kind: 'events_api', name: String(event.type), payload, acceptsResponse: false }, 0);
}

/**
 * In a shared channel, an event comes from the workspace of the person who caused it: https://github.com/slackapi/java-slack-sdk/issues/629,
 * https://github.com/slackapi/node-slack-sdk/issues/1370
 */
function strangersTeam({ state }: Workspace, event: JsonObject): string | undefined {
  const userId = stringAt(event, 'user');
  return state.members.find(({ id, kind }) => id === userId && kind === 'stranger')?.teamId;
}

async function attempt(workspace: Workspace, outgoing: Outgoing, tried: number): Promise<boolean> {
  const delivered = await deliver(workspace, outgoing);
  const pauseMs = workspace.eventRetriesMs[tried];
  const isLast = pauseMs === undefined || workspace.ended.aborted;
  if (delivered.ok || delivered.noRetry || isLast) return delivered.ok;
  const reason = {
    timeout: 'http_timeout',
    unreachable: 'connection_failed',
    http_error: 'http_error',
    dropped: 'timeout',
    not_configured: 'connection_failed',
  };
  const retry = { attempt: tried + 1, reason: reason[delivered.reason] };
  workspace.retrying.add(outgoing.payload);
  const retried = new Promise<boolean>((resolve) => {
    setTimeout(() => {
      workspace.retrying.delete(outgoing.payload);
      resolve(!workspace.ended.aborted && attempt(workspace, { ...outgoing, retry }, tried + 1));
    }, pauseMs).unref();
  });
  return delivered.reason === 'timeout' ? false : retried;
}

type Kind = StoredChannel['kind'];

/** Scopes by the kind of channel that the event is about; null for a kind that the event never comes from. */
type NeededScope = string | null | { [kind in Kind]: string | null };

const READ = { public: 'channels:read', private: 'groups:read', im: null };

/**
 * The events that this workspace sends, and the scope that an app needs besides its subscription; null for none.
 * https://docs.slack.dev/reference/events
 */
export const SENT_EVENTS = {
  app_home_opened: null,
  // Not from direct messages: https://docs.slack.dev/reference/events/app_mention
  app_mention: { public: SCOPE_OF_EVENT.app_mention, private: SCOPE_OF_EVENT.app_mention, im: null },
  // https://docs.slack.dev/reference/events/app_uninstalled
  app_uninstalled: null,
  channel_archive: 'channels:read',
  channel_created: 'channels:read',
  // Only of private channels: https://docs.slack.dev/reference/events/channel_id_changed
  channel_id_changed: 'groups:read',
  channel_left: 'channels:read',
  channel_rename: 'channels:read',
  channel_unarchive: 'channels:read',
  file_shared: 'files:read',
  // https://docs.slack.dev/reference/events/function_executed
  function_executed: null,
  // https://docs.slack.dev/reference/events/group_archive
  group_archive: null,
  group_left: 'groups:read',
  group_rename: 'groups:read',
  group_unarchive: 'groups:read',
  // The event names the kind of channel: https://docs.slack.dev/reference/events/member_joined_channel
  member_joined_channel: READ,
  member_left_channel: READ,
  'message.channels': SCOPE_OF_EVENT['message.channels'],
  'message.groups': SCOPE_OF_EVENT['message.groups'],
  'message.im': SCOPE_OF_EVENT['message.im'],
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
  message_metadata_deleted: SCOPE_OF_EVENT.message_metadata_deleted,
  message_metadata_posted: SCOPE_OF_EVENT.message_metadata_posted,
  message_metadata_updated: SCOPE_OF_EVENT.message_metadata_updated,
  subteam_created: 'usergroups:read',
  subteam_members_changed: 'usergroups:read',
  subteam_self_added: 'usergroups:read',
  subteam_self_removed: 'usergroups:read',
  subteam_updated: 'usergroups:read',
  // https://docs.slack.dev/reference/events/team_access_granted, https://docs.slack.dev/reference/events/team_access_revoked
  team_access_granted: null,
  team_access_revoked: null,
  team_join: 'users:read',
  // https://docs.slack.dev/reference/events/tokens_revoked
  tokens_revoked: null,
  user_change: 'users:read',
} as const satisfies { [event: string]: NeededScope };

export type SentEvent = keyof typeof SENT_EVENTS;

/** Returns true if an app with these scopes may receive an event, from this kind of channel if it is about one. */
function mayHear(event: SentEvent, scopes: readonly string[], kind: Kind | undefined): boolean {
  const needed: NeededScope = SENT_EVENTS[event];
  if (needed === null) return true;
  const scope = typeof needed === 'string' ? needed : kind && needed[kind];
  return typeof scope === 'string' && scopes.includes(scope);
}

/** Returns true if this workspace ever sends an event. */
export function isSent(event: string): boolean {
  return Object.hasOwn(SENT_EVENTS, event);
}
