import type { Logger as SlackLogger } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { type ObserveSlackCall, WatchedClient } from './observed-client.ts';

/** A `trigger_id` lives three seconds, so a call for one is worth no more waiting than this. */
const INTERACTIVE_TIMEOUT_MS = 2_500;
/** Shorter than the claim of a posting. */
const BACKGROUND_TIMEOUT_MS = 10_000;

/**
 * Two clients, since one limited post would pause a modal that somebody waits for. Neither retries: the record of an
 * execution says what is owed, and a repeated `chat.postMessage` would post twice.
 */
export interface SlackClients {
  interactive: WebClient;
  background: WebClient;
}

export function createSlackClients({
  token,
  apiUrl,
  logger,
  observe = () => {},
}: {
  token: string;
  apiUrl: string;
  logger: SlackLogger;
  /** Hears of each call, for metrics. */
  observe?: ObserveSlackCall;
}): SlackClients {
  const client = (timeout: number) =>
    new WatchedClient(
      token,
      {
        slackApiUrl: apiUrl,
        timeout,
        logger,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        allowAbsoluteUrls: false,
      },
      observe,
    );
  return { interactive: client(INTERACTIVE_TIMEOUT_MS), background: client(BACKGROUND_TIMEOUT_MS) };
}
