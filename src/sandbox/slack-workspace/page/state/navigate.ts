import { formatRoute, type Route } from './route.ts';

/** Goes to another place on the page, with an entry in the browser's history. */
export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}
