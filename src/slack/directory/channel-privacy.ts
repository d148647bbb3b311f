import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

/** https://docs.slack.dev/reference/objects/conversation-object. Direct messages say nothing of being private. */
const CHANNEL = z.object({ is_channel: z.boolean().default(false), is_private: z.boolean() });

/** Whether all full members of the workspace can open a channel. Rejects if Slack can't tell. */
export async function fetchIsPublic(client: WebClient, channel: string): Promise<boolean> {
  const { channel: found } = await client.conversations.info({ channel });
  const parsed = CHANNEL.safeParse(found);
  return parsed.success && parsed.data.is_channel && !parsed.data.is_private;
}
