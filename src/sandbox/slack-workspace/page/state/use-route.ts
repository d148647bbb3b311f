import { useSyncExternalStore } from 'react';
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
