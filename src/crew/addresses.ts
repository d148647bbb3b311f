import type { CallbackKey } from '../core/ports.ts';
import type { Authentication, AuthStrategy, Credentials } from './credentials.ts';

/**
 * The webhook settings of a kickoff or resume, named as in the specification (sections 2.3 and 2.4). Every resume repeats
 * them all, since a service may carry none of them over.
 */
export interface CallbackSettings {
  humanInputWebhook: { url: string; authentication: Authentication };
  taskWebhookUrl: string;
  stepWebhookUrl: string;
  crewWebhookUrl: string;
  /** Echoed in notifications by services that support it: a second correlation besides the addresses. */
  meta: { [META_REF]: string };
}

export const META_REF = 'signoff_ref';

/** What webhook addresses and credentials are made from. */
export interface CallbackSource {
  /** With or without a trailing slash. */
  publicUrl: string;
  credentials: Credentials;
  webhookAuth: AuthStrategy;
}

export function callbackSettings(source: CallbackSource, key: CallbackKey): CallbackSettings {
  const { publicUrl, credentials, webhookAuth } = source;
  const execution = `${withoutSlash(publicUrl)}/webhooks/executions/${key.ref}`;
  const events = `${execution}/${credentials.pathToken(key)}`;
  return {
    humanInputWebhook: {
      url: `${execution}/human-input`,
      authentication: credentials.ofExecution(key, webhookAuth),
    },
    taskWebhookUrl: `${events}/task`,
    stepWebhookUrl: `${events}/step`,
    crewWebhookUrl: `${events}/crew`,
    meta: { [META_REF]: key.ref },
  };
}

/** The human-input address for executions started elsewhere. */
export function crewAddress(publicUrl: string, crew: string): string {
  return `${withoutSlash(publicUrl)}/webhooks/crews/${encodeURIComponent(crew)}/human-input`;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
