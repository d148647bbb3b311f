// The listeners for Slack's events, by the type of an event. `message-events.ts` has those about our own messages.
import { z } from 'zod';
import { parseGroupEvent } from '../directory/user-groups.ts';
import type { EventListener, HomeListener } from '../listening/context.ts';
import { onMessageDeleted, onMessagePosted } from './message-events.ts';

/** https://docs.slack.dev/reference/events/channel_unarchive, https://docs.slack.dev/reference/events/group_unarchive */
const onUnarchived: EventListener<'channel_unarchive' | 'group_unarchive'> = async ({ context, event }) => {
  await context.retryIn(event.channel);
};

/** https://docs.slack.dev/reference/events/member_joined_channel */
const onJoined: EventListener<'member_joined_channel'> = async ({ context, event }) => {
  if (event.user === context.identity.botUserId) await context.retryIn(event.channel);
};

/** Stores a change of a user group. Slack also sends `subteam_updated` when a group is disabled. https://docs.slack.dev/reference/events/subteam_updated */
const onGroupChanged: EventListener<'subteam_created' | 'subteam_updated' | 'subteam_members_changed'> = async ({
  context,
  event,
}) => {
  const change = parseGroupEvent(event);
  if (change) await context.groupChanges.add(change);
};

const MOVE = z.object({ old_channel_id: z.string(), new_channel_id: z.string() });

/** https://docs.slack.dev/reference/events/channel_id_changed */
const onMoved: EventListener<'channel_id_changed'> = async ({ context, event }) => {
  const { data } = MOVE.safeParse(event);
  if (data) await context.moveChannel(data.old_channel_id, data.new_channel_id);
};

const RENAMING = z.object({ channel: z.object({ id: z.string(), name: z.string() }) });

/** https://docs.slack.dev/reference/events/channel_rename, https://docs.slack.dev/reference/events/group_rename */
const onRenamed: EventListener<'channel_rename' | 'group_rename'> = async ({ context, event }) => {
  const { data } = RENAMING.safeParse(event);
  if (data) context.renameChannel(data.channel.id, data.channel.name);
};

/** Retries refused posts after an organisation has given the app another workspace. https://docs.slack.dev/reference/events/team_access_granted */
const onAccess: EventListener<'team_access_granted'> = async ({ context }) => {
  await context.retryIn(null);
};

/** https://docs.slack.dev/reference/events/tokens_revoked, https://docs.slack.dev/reference/events/app_uninstalled */
const onRevoked: EventListener<'tokens_revoked' | 'app_uninstalled'> = async ({ context }) => {
  context.checkToken();
};

/** https://docs.slack.dev/reference/events/app_home_opened */
const onHomeOpened: HomeListener = async ({ context, event }) => {
  const { home, person } = context;
  // Nothing is stored, so Slack gets its acknowledgement before the Home is shown.
  if (event.tab === 'home' && person.id !== '') void home.show(person.id, event.view?.private_metadata ?? '');
};

/** Listeners by the type of an event. Each expects the arguments that Bolt has for this type. */
export const events: Readonly<Record<string, (args: never) => Promise<void>>> = {
  app_home_opened: onHomeOpened,
  app_uninstalled: onRevoked,
  channel_id_changed: onMoved,
  channel_rename: onRenamed,
  channel_unarchive: onUnarchived,
  group_rename: onRenamed,
  group_unarchive: onUnarchived,
  member_joined_channel: onJoined,
  message_metadata_deleted: onMessageDeleted,
  message_metadata_posted: onMessagePosted,
  subteam_created: onGroupChanged,
  subteam_members_changed: onGroupChanged,
  subteam_updated: onGroupChanged,
  team_access_granted: onAccess,
  tokens_revoked: onRevoked,
};
