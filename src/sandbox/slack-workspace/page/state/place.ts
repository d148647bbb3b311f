import type { Channel, Member, Message } from '../../people-api.ts';
import type { Route } from './route.ts';

/** The channel that a route means: the app's direct message for its Home tab, the first joined one by default. */
export function channelOf(channels: Channel[], route: Route): Channel | undefined {
  if (route.place === 'home') return channels.find(({ kind }) => kind === 'im');
  const named = channels.find(({ id }) => id === route.place);
  return named ?? channels.find(({ isMember, isArchived }) => isMember && !isArchived) ?? channels[0];
}

/** A link to a message that is in a thread, or begins one, opens that thread as well. */
export function threadOf(route: Route, messages: Message[]): string | undefined {
  if (route.place === 'home') return undefined;
  if (route.threadTs !== undefined) return route.threadTs;
  return route.ts === undefined ? undefined : messages.find(({ ts }) => ts === route.ts)?.threadTs;
}

/** Apps play themselves. */
export function isPlayable({ kind }: Member): boolean {
  return kind === 'member' || kind === 'guest' || kind === 'stranger';
}
