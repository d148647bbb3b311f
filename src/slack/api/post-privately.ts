import type { WebClient } from '@slack/web-api';
import type { Rendered } from '../ui/blocks.ts';
import { plainerMessages } from '../ui/plainer-renderings.ts';
import { sendAccepted } from './send-accepted.ts';

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
