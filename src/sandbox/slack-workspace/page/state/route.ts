import type { Channel, Member, Message } from '../../people-api.ts';

/** The visible place, stored in the URL: `#/C1`, `#/C1/p1712…?thread_ts=1712.…`, `#/home`, `#/workflows`. */
export type Route = {
  /** A channel id, `home` for the app's Home tab, or `workflows`. Default: the first channel. */
  place?: string;
  /** The message to scroll to. */
  ts?: string;
  /** The open thread. */
  threadTs?: string;
};

const CHANNEL = /^[CDG][A-Z0-9]+$/;

/** Parses a location's hash; anything invalid means the first channel. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [place = '', message = ''] = path.split('/');
  if (place === 'home' || place === 'workflows') return { place };
  if (!CHANNEL.test(place)) return {};
  const ts = tsFromPermalink(message);
  const threadTs = new URLSearchParams(query).get('thread_ts');
  return { place, ...(ts && { ts }), ...(threadTs && { threadTs }) };
}

export function formatRoute({ place, ts, threadTs }: Route): string {
  if (place === undefined) return '#/';
  const query = threadTs === undefined ? '' : `?thread_ts=${threadTs}`;
  return `#/${place}${ts === undefined ? '' : `/p${ts.replace('.', '')}`}${query}`;
}

/**
 * Parses a permalink from `chat.getPermalink`, `…/archives/C1/p1712…?thread_ts=…&cid=…`, or an address that opens the app,
 * `…/app_redirect?app=…&team=…`: https://docs.slack.dev/interactivity/deep-linking
 */
export function routeFromPermalink(address: string, origin: string): Route | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  if (!isSameWorkspace(url, new URL(origin))) return undefined;
  if (url.pathname === '/app_redirect' && url.searchParams.has('app')) return { place: 'home' };
  const match = /\/archives\/([CDG][A-Z0-9]+)(?:\/(p\d+))?\/?$/.exec(url.pathname);
  if (!match?.[1]) return undefined;
  const ts = tsFromPermalink(match[2] ?? '');
  const threadTs = url.searchParams.get('thread_ts');
  return { place: match[1], ...(ts && { ts }), ...(threadTs && { threadTs }) };
}

/** All local names with the same port are the same workspace. */
function isSameWorkspace(url: URL, here: URL): boolean {
  const local = ['localhost', '127.0.0.1', '[::1]'];
  if (url.origin === here.origin) return true;
  return url.port === here.port && local.includes(url.hostname) && local.includes(here.hostname);
}

function tsFromPermalink(part: string): string | undefined {
  const digits = /^p(\d{7,})$/.exec(part)?.[1];
  return digits && `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** The channel of a route: for the Home tab the app's direct message, by default the first joined channel; none for workflows. */
export function channelOf(channels: Channel[], route: Route): Channel | undefined {
  if (route.place === 'workflows') return undefined;
  if (route.place === 'home') return channels.find(({ kind }) => kind === 'im');
  const channel = channels.find(({ id }) => id === route.place);
  return channel ?? channels.find(({ isMember, isArchived }) => isMember && !isArchived) ?? channels[0];
}

/** A link to a message in a thread, or to its root, opens the thread too. */
export function threadOf(route: Route, messages: Message[]): string | undefined {
  if (route.place === 'home') return undefined;
  if (route.threadTs !== undefined) return route.threadTs;
  return route.ts === undefined ? undefined : messages.find(({ ts }) => ts === route.ts)?.threadTs;
}

/** Returns true if a person can act as this member: apps act for themselves, deactivated people not at all. */
export function isPlayable({ kind, isDeactivated }: Member): boolean {
  return kind !== 'app' && kind !== 'slackbot' && isDeactivated !== true;
}
