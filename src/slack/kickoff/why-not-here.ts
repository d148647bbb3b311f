import { postingTrouble } from '../api/channels.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Rendered } from '../ui/blocks.ts';
import { cannotPostMessage } from './cannot-post-message.ts';

/** Why nothing can be started in a channel and what to do, or null if the bot can post there. */
export async function whyNotHere({ client, identity }: ListenerContext, channel: string): Promise<Rendered | null> {
  const trouble = await postingTrouble(client, identity, channel);
  return trouble && cannotPostMessage({ trouble, botName: identity.botName });
}
