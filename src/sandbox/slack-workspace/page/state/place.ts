import type { Channel, Member, Message } from '../../people-api.ts';
import type { Route } from './route.ts';

/** The channel of a route: for the Home tab the app's direct message, by default the first joined channel. */
export function channelOf(channels: Channel[], route: Route): Channel | undefined {
  if (route.place === 'home') return channels.find(({ kind }) => kind === 'im');
  const named = channels.find(({ id }) => id === route.place);
  return named ?? channels.find(({ isMember, isArchived }) => isMember && !isArchived) ?? channels[0];
}

/** A link to a message in a thread, or to its root, opens the thread too. */
export function threadOf(route: Route, messages: Message[]): string | undefined {
  if (route.place === 'home') return undefined;
  if (route.threadTs !== undefined) return route.threadTs;
  return route.ts === undefined ? undefined : messages.find(({ ts }) => ts === route.ts)?.threadTs;
}

/** Whether a person can act as this member: apps act for themselves, deactivated people not at all. */
export function isPlayable({ kind, isDeactivated }: Member): boolean {
  return kind !== 'app' && kind !== 'slackbot' && isDeactivated !== true;
}
