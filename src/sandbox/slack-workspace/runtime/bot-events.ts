import type { StoredChannel } from '../state/workspace-state.ts';

type Kind = StoredChannel['kind'];

/** By the kind of channel that the event is about; null for one that the event never comes from. */
type NeededScope = string | null | { [kind in Kind]: string | null };

const READ = { public: 'channels:read', private: 'groups:read', im: null };

/**
 * The events that this workspace sends, and the scope that an app needs besides its subscription; null for none.
 * https://docs.slack.dev/reference/events
 */
const SENT_EVENTS = {
  app_home_opened: null,
  // Not from direct messages: https://docs.slack.dev/reference/events/app_mention
  app_mention: { public: 'app_mentions:read', private: 'app_mentions:read', im: null },
  // https://docs.slack.dev/reference/events/app_uninstalled
  app_uninstalled: null,
  channel_archive: 'channels:read',
  channel_created: 'channels:read',
  channel_left: 'channels:read',
  channel_rename: 'channels:read',
  channel_unarchive: 'channels:read',
  file_shared: 'files:read',
  // https://docs.slack.dev/reference/events/group_archive
  group_archive: null,
  group_left: 'groups:read',
  group_rename: 'groups:read',
  group_unarchive: 'groups:read',
  // By the kind of channel: https://docs.slack.dev/reference/events/member_joined_channel
  member_joined_channel: READ,
  member_left_channel: READ,
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  subteam_created: 'usergroups:read',
  subteam_members_changed: 'usergroups:read',
  subteam_self_added: 'usergroups:read',
  subteam_self_removed: 'usergroups:read',
  subteam_updated: 'usergroups:read',
  team_join: 'users:read',
  // https://docs.slack.dev/reference/events/tokens_revoked
  tokens_revoked: null,
  user_change: 'users:read',
} as const satisfies { [event: string]: NeededScope };

export type SentEvent = keyof typeof SENT_EVENTS;

/** Whether an app with these scopes may hear of an event, from this kind of channel if it is about one. */
export function mayHear(event: SentEvent, scopes: readonly string[], kind: Kind | undefined): boolean {
  const needed: NeededScope = SENT_EVENTS[event];
  if (needed === null) return true;
  const scope = typeof needed === 'string' ? needed : kind && needed[kind];
  return typeof scope === 'string' && scopes.includes(scope);
}

/** Whether this workspace ever sends an event. */
export function isSent(event: string): boolean {
  return Object.hasOwn(SENT_EVENTS, event);
}
