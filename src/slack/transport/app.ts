import type { Receiver } from '@slack/bolt';
import { App, UnknownError } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Identity } from '../api/identity.ts';
import { slackLogger } from '../api/logger.ts';
import { UnreadableRequest } from '../interaction/parse-request.ts';

/** One of our listeners failed, which is logged already. Requests that can't be read fail with other errors. */
export class ListenerFailed extends Error {
  override name = 'ListenerFailed';
}

/**
 * Bolt on our own receiver. The bot's identity is resolved once instead of per request, and nothing is kept in memory between
 * requests. Errors are rethrown, so that a failed request is never acknowledged; those that are our fault are logged.
 */
export function createApp(options: {
  receiver: Receiver;
  token: string;
  apiUrl: string;
  identity: Identity;
  log: Logger;
  /** Called for each listener that fails by our fault, for metrics. */
  onFault?: () => void;
}): App {
  const { receiver, token, apiUrl, identity, log, onFault } = options;
  const { teamId, botUserId, botId } = identity;
  const authorization = { botToken: token, botUserId, teamId, ...(botId === null ? {} : { botId }) };
  const logger = slackLogger(log);
  const app = new App({
    receiver,
    authorize: async () => authorization,
    convoStore: false,
    ignoreSelf: false,
    clientOptions: { slackApiUrl: apiUrl },
    logger,
  });
  app.error(async (error) => {
    // Bolt wraps errors without a code, whose stack would otherwise be that of the wrapper.
    const cause = error instanceof UnknownError ? error.original : error;
    if (cause instanceof UnreadableRequest) throw cause;
    onFault?.();
    log.error({ err: cause }, 'a listener failed');
    throw new ListenerFailed('A listener failed.', { cause });
  });
  return app;
}
