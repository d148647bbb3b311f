import type { Logger } from 'pino';
import type { RequestKind } from './observe-requests.ts';

/** Why a request from Slack can't be read, without a value of it: people may have typed it. */
interface Unreadable {
  kind: RequestKind;
  reason: string;
  /** Where one is missing or of the wrong type. */
  fields?: string[];
}

export function logUnreadable(log: Logger, unreadable: Unreadable): void {
  log.warn(unreadable, 'could not read a request from Slack');
}
