import type { WebClient } from '@slack/web-api';

/** Posts mrkdwn as it is, so that what is posted can be copied from it exactly. Throws what the client throws. */
export async function postText(client: WebClient, channel: string, text: string): Promise<void> {
  await client.chat.postMessage({ channel, text, unfurl_links: false, unfurl_media: false });
}
