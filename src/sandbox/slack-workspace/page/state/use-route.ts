import { useEffect, useSyncExternalStore } from 'react';
import type { Channel, Snapshot } from '../../people-api.ts';
import { formatRoute, parseRoute, type Route, routeFromPermalink } from './route.ts';

/** Replaces a permalink (`/archives/…`) with the page's own URL. Call once, at startup. */
export function adoptPermalink(): void {
  const route = routeFromPermalink(location.href, location.origin);
  if (route)
    history.replaceState(null, '', `/${location.search.includes('as=') ? location.search : ''}${formatRoute(route)}`);
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** Goes to another place on the page, with an entry in the browser's history. */
export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}

/** Shows the place and the number of mentions in the tab's title. */
export function useTitle({ app, channels, team, me }: Snapshot, route: Route, channel: Channel | undefined): void {
  const mentioned = channels.reduce((sum, { mentions }) => sum + mentions, 0);
  const other = route.place === 'workflows' ? 'Workflows' : app.name;
  const place = !channel || channel.kind === 'im' ? other : `#${channel.name}`;
  const title = `${mentioned > 0 ? `(${mentioned}) ` : ''}${place} · ${me.realName} · ${team.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
