import type { WebClient } from '@slack/web-api';
import type { Rendered } from '../ui/blocks.ts';
import { plainerMessages } from '../ui/plainer.ts';
import { isContentRefusal } from './errors.ts';

/** Sends the first of these that Slack doesn't refuse for its content. Throws what the client throws. */
export async function sendAccepted<Content, Answer>(
  [content, ...plainer]: [Content, ...Content[]],
  send: (content: Content) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(content);
  } catch (error) {
    const [next, ...rest] = plainer;
    if (next === undefined || !isContentRefusal(error)) throw error;
    return sendAccepted([next, ...rest], send);
  }
}

/** Posts a message that only one person sees. Throws what the client throws. */
export async function postPrivately(
  client: WebClient,
  { channel, user, threadTs = null }: { channel: string; user: string; threadTs?: string | null },
  message: Rendered,
): Promise<void> {
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  await sendAccepted(plainerMessages(message), ({ text, blocks }) =>
    client.chat.postEphemeral({ channel, user, text, blocks, ...thread }),
  );
}
