import { type Logger as SlackLogger, WebClient, type WebClientOptions } from '@slack/web-api';
import { createSlackFetch, type ObserveSlackCall } from './fetch.ts';

/** A `trigger_id` expires after three seconds. https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const INTERACTIVE_TIMEOUT_MS = 2_500;
/** Shorter than the claim on a posting. */
const BACKGROUND_TIMEOUT_MS = 10_000;

/**
 * Two clients, so that a rate-limited post doesn't delay a modal that a person is waiting for. Neither retries: the execution's
 * record says what is due, and a repeated `chat.postMessage` would post twice.
 */
export interface SlackClients {
  interactive: WebClient;
  background: WebClient;
  /** Of the interactive client, for the one that Bolt makes for its listeners. */
  interactiveOptions: WebClientOptions;
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
  const options = (timeoutMs: number): WebClientOptions => ({
    slackApiUrl: apiUrl,
    fetch: createSlackFetch({ apiUrl, timeoutMs, observe }),
    logger,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  });
  const interactiveOptions = options(INTERACTIVE_TIMEOUT_MS);
  return {
    interactive: new WebClient(token, interactiveOptions),
    background: new WebClient(token, options(BACKGROUND_TIMEOUT_MS)),
    interactiveOptions,
  };
}
