import type { Logger } from 'pino';
import type { Delivery } from './delivery.ts';

/** Logs a delivery after an attempt, without its address: the path of a webhook may be its secret. */
export function logAttempt(logger: Logger, delivery: Delivery): void {
  const { id, kind, url, attempts, status, nextAttemptAt } = delivery;
  const { outcome, durationMs } = attempts.at(-1) ?? {};
  const facts = { delivery: id, kind, to: new URL(url).origin, attempt: attempts.length, durationMs, outcome };
  switch (status) {
    case 'delivered':
      logger.info(facts, 'webhook sent');
      return;
    case 'pending':
      logger.warn(
        { ...facts, nextAttemptAt: new Date(nextAttemptAt).toISOString() },
        'webhook failed, will be retried',
      );
      return;
    case 'given-up':
      logger.error(facts, 'webhook failed, given up');
      return;
    case 'dropped':
      logger.info(facts, 'webhook dropped by a test');
      return;
  }
}
