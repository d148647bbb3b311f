import { formatRoute, type Route } from './route.ts';

/** Goes to another place of the page; the browser's *back* comes back. */
export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}
