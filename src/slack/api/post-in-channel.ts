import type { WebClient } from '@slack/web-api';
import type { Rendered } from '../ui/blocks.ts';
import { plainerMessages } from '../ui/plainer-renderings.ts';
import { sendAccepted } from './send-accepted.ts';

/**
 * Posts a message outside of any thread. A person's id instead of a channel's means the direct message with them
 * (https://docs.slack.dev/reference/methods/chat.postMessage#channels). Throws what the client throws.
 */
export async function postInChannel(client: WebClient, channel: string, message: Rendered): Promise<void> {
  await sendAccepted(plainerMessages(message), ({ text, blocks }) =>
    client.chat.postMessage({ channel, text, blocks, unfurl_links: false, unfurl_media: false }),
  );
}
