import { type Agent, request } from 'undici';
import { withTimeLimit } from '../time-limit.ts';
import { authorizationOf, type Delivery, type DeliveryAttempt } from './delivery.ts';

/**
 * Posts a notification once and answers what came of it. Follows no redirects.
 * Rejects only when `stopping` aborts: then nobody knows whether it arrived.
 */
export async function postWebhook(
  delivery: Delivery,
  agent: Agent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<DeliveryAttempt['outcome']> {
  const authorization = authorizationOf(delivery.authentication);
  try {
    return await withTimeLimit(timeoutMs, stopping, async (signal) => {
      const answer = await request(delivery.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'crew-service',
          ...(authorization && { authorization }),
        },
        body: delivery.body,
        dispatcher: agent,
        signal,
      });
      await answer.body.dump({ limit: 65_536, signal });
      return { status: answer.statusCode };
    });
  } catch (error) {
    // Stopped in the middle: it stays owed, and is sent at the next start.
    stopping.throwIfAborted();
    return { error: error instanceof Error ? error.message || error.name : String(error) };
  }
}
