import type { AppSettings } from '../runtime/installed-app.ts';
import type { Outgoing } from './transport.ts';

type Kind = Pick<Outgoing, 'kind' | 'name'>;

/** Where a delivery goes over HTTP: to the one URL for everything, or by its kind; each command may have its own. */
export function requestUrlOf({ delivery, commands }: AppSettings, { kind, name }: Kind): string | undefined {
  if (delivery.mode === 'socket') return undefined;
  if (delivery.requestUrl !== undefined) return delivery.requestUrl;
  switch (kind) {
    case 'events_api':
      return delivery.urls?.events;
    case 'interactive':
      return delivery.urls?.interactivity;
    case 'slash_commands':
      return commands.find(({ command }) => command === name)?.url;
  }
}

/** Whether anything can be delivered over HTTP. */
export function hasRequestUrl({ delivery, commands }: AppSettings): boolean {
  if (delivery.mode === 'socket') return false;
  const { requestUrl, urls = {} } = delivery;
  return [requestUrl, ...Object.values(urls), ...commands.map(({ url }) => url)].some((url) => url !== undefined);
}
