import { SLACKBOT_ID } from './seed.ts';
import type { StoredMember } from './workspace-state.ts';

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
