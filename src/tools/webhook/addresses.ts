import { withoutTrailingSlash } from '../../config/fields.ts';
import type { Credentials } from '../../crew/credentials.ts';

// Addresses that an operator gives to a crew's service, to the control panel of its flows, and to programs.

/** Returns the human-input address for executions started elsewhere, for a service that authenticates there. */
export function crewAddress(publicUrl: string, crew: string): string {
  return `${crewWebhooks(publicUrl, crew)}/human-input`;
}

/** Returns the human-input address for a service that sends no credentials. It is secret. */
export function secretCrewAddress(publicUrl: string, crew: string, credentials: Credentials): string {
  return `${crewWebhooks(publicUrl, crew)}/${credentials.crewToken(crew)}/human-input`;
}

/** Returns the address for notifications of flows. */
export function flowAddress(publicUrl: string, crew: string): string {
  return `${crewWebhooks(publicUrl, crew)}/flow`;
}

/** Returns the address at which programs ask people. */
export function asksAddress(publicUrl: string): string {
  return `${withoutTrailingSlash(publicUrl)}/asks`;
}

function crewWebhooks(publicUrl: string, crew: string): string {
  return `${withoutTrailingSlash(publicUrl)}/webhooks/crews/${encodeURIComponent(crew)}`;
}
