import { findStartPlace, type Sharing } from '../api/channels.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { cannotPostMessage } from './cannot-post-message.ts';

/** Where a run is to be started. */
interface StartPlace {
  /** Why nothing can be started there and what to do; null if the bot can post there. */
  problem: Rendered | null;
  sharing: Sharing;
}

export async function startPlace(
  { client, identity }: Pick<ListenerContext, 'client' | 'identity'>,
  channel: string,
  say: Say,
): Promise<StartPlace> {
  const { trouble, sharing } = await findStartPlace(client, identity, channel);
  return { problem: trouble && cannotPostMessage(trouble, identity.botName, say), sharing };
}
