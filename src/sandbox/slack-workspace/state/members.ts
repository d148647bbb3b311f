import { isIn } from './channels.ts';
import { SLACKBOT_ID } from './seed.ts';
import type { StoredMember, WorkspaceState } from './workspace-state.ts';

type Presence = 'active' | 'away';

/**
 * People count as active unless they have set themselves away, since anyone can be played at any time. The app's bot is
 * active only if its manifest says so: it has no connection of the Real Time Messaging API.
 * https://docs.slack.dev/apis/web-api/user-presence-and-status
 * https://docs.slack.dev/reference/app-manifest#bot_user (always_online)
 */
export function presenceOf(
  { id, kind, isAway, isDeactivated }: Pick<StoredMember, 'id' | 'kind' | 'isAway' | 'isDeactivated'>,
  app: { botUserId: string; alwaysOnline: boolean },
): Presence {
  if (kind === 'app') return id === app.botUserId && app.alwaysOnline ? 'active' : 'away';
  if (id === SLACKBOT_ID) return 'active';
  return isAway === true || isDeactivated === true ? 'away' : 'active';
}

/** Returns true if two members are in a channel together. */
export function meet({ channels }: WorkspaceState, oneId: string, otherId: string): boolean {
  return channels.some((channel) => isIn(channel, oneId) && isIn(channel, otherId));
}

/**
 * Returns the value of `is_stranger`: true from another organisation, and in no shared channel that the app can see. For those in a
 * shared channel only `team_id` tells. https://docs.slack.dev/reference/objects/user-object
 */
export function isOutOfSight(state: WorkspaceState, botUserId: string, { id, kind }: StoredMember): boolean {
  return kind === 'stranger' && !meet(state, id, botUserId);
}
