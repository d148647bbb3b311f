import type { Receiver } from '@slack/bolt';
import { App } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Identity } from '../api/identity.ts';
import { slackLogger } from '../api/logger.ts';

/** One of our listeners failed, which is logged already. Bolt's own errors come before any listener runs. */
export class ListenerFailed extends Error {
  override name = 'ListenerFailed';
}

/**
 * Bolt on our own receiver. The bot's identity is resolved once instead of per request, and nothing is kept in memory between
 * requests. Errors are logged and rethrown, so that a failed request is never acknowledged.
 */
export function createApp(options: {
  receiver: Receiver;
  token: string;
  apiUrl: string;
  identity: Identity;
  log: Logger;
  /** Called for each listener that fails, for metrics. */
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
    onFault?.();
    log.error({ err: error }, 'a listener failed');
    throw new ListenerFailed('A listener failed.', { cause: error });
  });
  return app;
}
