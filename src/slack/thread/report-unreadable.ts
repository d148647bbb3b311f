import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { postInChannel } from '../api/post-in-channel.ts';
import type { Say } from '../language/say.ts';
import { unreadableRequestMessage } from './unreadable-request-message.ts';

/** A crew asked for human input in a format that we can't read, so there is no thread for it. */
interface UnreadableRequest {
  crew: string;
  keys: string[];
}

/** Reports it in the crew's channel, or in the log if there is none or Slack is unavailable. Never throws. */
export async function reportUnreadable(
  { client, channel, say, log }: { client: WebClient; channel: string | null; say: Say; log: Logger },
  { crew, keys }: UnreadableRequest,
): Promise<void> {
  if (channel === null)
    return log.warn({ crew, keys }, 'could not read a request for human input; its crew has no channel');
  try {
    await postInChannel(client, channel, unreadableRequestMessage({ crew, keys }, say));
  } catch (error) {
    log.warn({ crew, keys, err: error }, 'could not read a request for human input, nor report it in the channel');
  }
}
