import { createObjectStorage } from './object-storage.ts';
import type { Receiver, ReceiverOptions, SinkSettings } from './receiver.ts';
import { createWebhook } from './webhook.ts';

/** Opens no connection before it is used. */
export function createReceiver(settings: SinkSettings, options: ReceiverOptions): Receiver {
  return settings.kind === 'webhook' ? createWebhook(settings, options) : createObjectStorage(settings, options);
}
