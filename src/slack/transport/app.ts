import type { Receiver } from '@slack/bolt';
import { App } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Identity } from '../api/identity.ts';
import { slackLogger } from '../api/logger.ts';

/** A listener of ours failed, which is logged already. What else Bolt throws, it throws before any listener. */
export class ListenerFailed extends Error {
  override name = 'ListenerFailed';
}

/**
 * Bolt on a receiver of ours: the bot's identity is resolved once instead of with each request, and nothing is kept in
 * memory between requests. Errors are logged here and thrown on, so that what failed is never acknowledged.
 */
export function createApp(options: {
  receiver: Receiver;
  token: string;
  apiUrl: string;
  identity: Identity;
  log: Logger;
  /** Hears of each listener that failed, for metrics. */
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
