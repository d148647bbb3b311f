import type { Logger as SlackLogger, WebClient } from '@slack/web-api';
import { slackFetch } from './fetch.ts';
import { ObservedClient, type ObserveSlackCall } from './observed-client.ts';

/** A `trigger_id` expires after three seconds. https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
export const INTERACTIVE_TIMEOUT_MS = 2_500;
/** Shorter than the claim on a posting. */
const BACKGROUND_TIMEOUT_MS = 10_000;

/**
 * Two clients, so that a rate-limited post doesn't delay a modal that a person is waiting for. Neither retries: the execution's
 * record says what is due, and a repeated `chat.postMessage` would post twice.
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
  /** Called for each call, for metrics. */
  observe?: ObserveSlackCall;
}): SlackClients {
  const client = (timeout: number) =>
    new ObservedClient(
      token,
      {
        slackApiUrl: apiUrl,
        fetch: slackFetch,
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
