import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { unreadableRequestMessage } from './unreadable-request-message.ts';

/** ExecutionEvent that has no thread: a crew asked for human input in a shape that we can't read. */
export interface UnreadableRequest {
  crew: string;
  keys: string[];
}

/** Raises it in the channel of the crew; where there is none, or Slack is away, it stands in the log. Never throws. */
export async function reportUnreadable(
  { client, channel, log }: { client: WebClient; channel: string | null; log: Logger },
  { crew, keys }: UnreadableRequest,
): Promise<void> {
  if (channel === null)
    return log.warn({ crew, keys }, 'a request for human input could not be read, and its crew has no channel');
  try {
    const { text, blocks } = unreadableRequestMessage({ crew, keys });
    await client.chat.postMessage({ channel, text, blocks, unfurl_links: false, unfurl_media: false });
  } catch (error) {
    log.warn(
      { crew, keys, err: error },
      'a request for human input could not be read, and its channel could not be told',
    );
  }
}
