import { postInChannel } from '../api/post-in-channel.ts';
import { postPrivately } from '../api/post-privately.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { ListenerContext } from './listener-context.ts';

/** Where a person is to be told something; without a channel by a direct message. */
interface PersonPlace {
  channel: string | null;
  user: string;
}

/** Tells only this person, in the channel, or where the bot isn't in it, by a direct message. Never throws. */
export async function tellPerson(
  { client, log }: Pick<ListenerContext, 'client' | 'log'>,
  { channel, user }: PersonPlace,
  message: Rendered,
): Promise<void> {
  try {
    if (channel !== null) return await postPrivately(client, { channel, user }, message);
  } catch {
    // A direct message may still arrive.
  }
  try {
    // Fails with messages_tab_disabled for an app that isn't set up by our manifest.
    await postInChannel(client, user, message);
  } catch (error) {
    log.warn({ err: error }, 'could not tell a person anything at all');
  }
}
