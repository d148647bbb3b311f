import type { Logger } from 'pino';
import { ListenerFailed } from './app.ts';
import { requestKind } from './observe-requests.ts';

/**
 * Logs a request that Bolt refused before it reached a listener, and says whether it was one. Leaves out the error's message,
 * which may quote the request.
 */
export function logUnreadable(log: Logger, body: Record<string, unknown>, error: unknown): boolean {
  if (error instanceof ListenerFailed) return false;
  const reason = error instanceof Error ? error.name : 'unknown';
  log.warn({ kind: requestKind(body), reason }, 'could not read a request from Slack');
  return true;
}
