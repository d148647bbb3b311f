import { withoutTrailingSlash } from '../../config/fields.ts';
import type { Credentials } from '../../crew/credentials.ts';

// The addresses that an operator gives to a crew's service, to the control panel of its flows, and to programs.

/** The human-input address for executions started elsewhere, for a service that authenticates there. */
export function crewAddress(publicUrl: string, crew: string): string {
  return `${crewWebhooks(publicUrl, crew)}/human-input`;
}

/** The same for a service that sends no credentials: the address is secret. */
export function secretCrewAddress(publicUrl: string, crew: string, credentials: Credentials): string {
  return `${crewWebhooks(publicUrl, crew)}/${credentials.crewToken(crew)}/human-input`;
}

/** The address for what the control panel of its flows tells. */
export function flowAddress(publicUrl: string, crew: string): string {
  return `${crewWebhooks(publicUrl, crew)}/flow`;
}

/** Where programs ask people. */
export function asksAddress(publicUrl: string): string {
  return `${withoutTrailingSlash(publicUrl)}/asks`;
}

function crewWebhooks(publicUrl: string, crew: string): string {
  return `${withoutTrailingSlash(publicUrl)}/webhooks/crews/${encodeURIComponent(crew)}`;
}
