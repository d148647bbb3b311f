import type { Logger } from 'pino';
import { UnreadableRequest } from '../interaction/parse-request.ts';
import { ListenerFailed } from './app.ts';
import { requestKind } from './observe-requests.ts';

/**
 * Logs a request that neither Bolt nor a listener could read, and says whether it was one. Leaves out the error's message and
 * stack, which may quote the request.
 */
export function logUnreadable(log: Logger, body: Record<string, unknown>, error: unknown): boolean {
  if (error instanceof ListenerFailed) return false;
  const reason = error instanceof Error ? error.name : 'unknown';
  const fields = error instanceof UnreadableRequest ? { fields: error.fields } : {};
  log.warn({ kind: requestKind(body), reason, ...fields }, COULD_NOT_READ);
  return true;
}

/** Logs a request whose body could not even be decoded. */
export function logUndecodable(log: Logger, reason: string): void {
  log.warn({ kind: 'other', reason }, COULD_NOT_READ);
}

const COULD_NOT_READ = 'could not read a request from Slack';
