import { createObjectStorage } from './object-storage.ts';
import type { Receiver, SinkSettings } from './receiver.ts';
import { createWebhook } from './webhook.ts';

interface ReceiverOptions {
  /** Newest first. */
  secrets: readonly string[];
  auditDays: number;
  /** How long one request may take, with its whole answer. */
  answerMs?: number;
}

/** Opens no connection before it is used. */
export function createReceiver(settings: SinkSettings, options: ReceiverOptions): Receiver {
  return settings.kind === 'webhook' ? createWebhook(settings, options) : createObjectStorage(settings, options);
}
