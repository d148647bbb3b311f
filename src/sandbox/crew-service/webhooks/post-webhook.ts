import { type Agent, request } from 'undici';
import { errorMessage } from '../error-message.ts';
import { withTimeLimit } from '../time-limit.ts';
import { authorizationOf, type Delivery, type DeliveryAttempt } from './delivery.ts';

/**
 * Posts a notification once, without following redirects.
 * Rejects only when `stopping` aborts; it is then unknown whether the notification arrived.
 */
export async function postWebhook(
  delivery: Delivery,
  agent: Agent,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<DeliveryAttempt['outcome']> {
  const authorization = authorizationOf(delivery.authentication);
  try {
    const words = `no answer within ${timeoutMs} ms`;
    return await withTimeLimit({
      ms: timeoutMs,
      words,
      stopping,
      work: async (signal) => {
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
      },
    });
  } catch (error) {
    // Interrupted by a shutdown: it stays pending and is sent after the next start.
    stopping.throwIfAborted();
    return { error: errorMessage(error) };
  }
}
