import { postingTrouble } from '../channels.ts';
import type { Desk } from '../desk.ts';
import type { Rendered } from '../views/blocks.ts';
import { cannotPostMessage } from '../views/cannot-post-message.ts';

/** Why nothing can be started in a channel, since nobody could follow it there, and what to do; null where all is well. */
export async function whyNotHere({ client, identity }: Desk, channel: string): Promise<Rendered | null> {
  const trouble = await postingTrouble(client, identity, channel);
  return trouble && cannotPostMessage({ trouble, botName: identity.botName });
}
