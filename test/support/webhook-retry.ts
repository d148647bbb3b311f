import type { WebhookRetry } from '../../src/sandbox/crew-service/webhooks/delivery.ts';

/**
 * How a crew service repeats notifications while a test waits for them. With pauses as short as these, the usual number of
 * attempts would be over before a busy machine has started a bot.
 */
export function impatientRetry(dialect: 'spec' | 'observed' | 'flows', longestPauseMs: number): Partial<WebhookRetry> {
  // Those that mimic deployed services never repeat one.
  return { firstPauseMs: 100, longestPauseMs, ...(dialect === 'spec' && { attempts: 100 }) };
}
