import { postingTrouble } from '../api/channels.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Rendered } from '../ui/blocks.ts';
import { cannotPostMessage } from './cannot-post-message.ts';

/** Why nothing can be started in a channel, since nobody could follow it there, and what to do; null where all is well. */
export async function whyNotHere({ client, identity }: ListenerContext, channel: string): Promise<Rendered | null> {
  const trouble = await postingTrouble(client, identity, channel);
  return trouble && cannotPostMessage({ trouble, botName: identity.botName });
}
