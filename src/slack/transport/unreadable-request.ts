import type { Logger } from 'pino';
import { ListenerFailed } from './app.ts';
import { requestKind } from './observe-requests.ts';

/**
 * Whether Bolt refused a request of Slack before any listener saw it, which nobody else tells: one line without the error's
 * message, since that may quote what was sent.
 */
export function noteUnreadable(log: Logger, body: Record<string, unknown>, error: unknown): boolean {
  if (error instanceof ListenerFailed) return false;
  const reason = error instanceof Error ? error.name : 'unknown';
  log.warn({ kind: requestKind(body), reason }, 'a request of Slack has a shape that can’t be read');
  return true;
}
