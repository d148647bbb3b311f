import type { WebClient } from '@slack/web-api';
import type { Rendered } from '../ui/blocks.ts';
import { plainerMessages } from '../ui/plain-blocks.ts';
import { isContentRefusal } from './errors.ts';

/**
 * Posts a message outside of any thread. A person's id instead of a channel's means the direct message with them.
 * https://docs.slack.dev/reference/methods/chat.postMessage#channels Throws what the client throws.
 */
export async function postInChannel(client: WebClient, channel: string, message: Rendered): Promise<void> {
  await sendFirstAccepted(plainerMessages(message), ({ text, blocks }) =>
    client.chat.postMessage({ channel, text, blocks, unfurl_links: false, unfurl_media: false }),
  );
}

/** Posts a message that only one person sees. Throws what the client throws. */
export async function postPrivately(
  client: WebClient,
  { channel, user, threadTs = null }: { channel: string; user: string; threadTs?: string | null },
  message: Rendered,
): Promise<void> {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  await sendFirstAccepted(plainerMessages(message), ({ text, blocks }) =>
    client.chat.postEphemeral({ channel, user, text, blocks, ...thread }),
  );
}

/**
 * Posts mrkdwn as it is, without a plainer rendering: people compare checkpoints in AUDIT_CHANNEL letter by letter. Throws what the
 * client throws.
 */
export async function postText(client: WebClient, channel: string, text: string): Promise<void> {
  await client.chat.postMessage({ channel, text, unfurl_links: false, unfurl_media: false });
}

/** Sends the first rendering that Slack doesn't refuse for its content. Throws what the client throws, such as the last refusal. */
export async function sendFirstAccepted<Content, Answer>(
  renderings: Iterable<Content>,
  send: (content: Content) => Promise<Answer>,
): Promise<Answer> {
  let refusal: unknown;
  for (const content of renderings) {
    try {
      return await send(content);
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
