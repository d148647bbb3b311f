import { findStartPlace, type PostingTrouble, type Sharing } from '../../api/channels.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';

/** Why a person can't start a run in a channel that they chose. `unsure`: Slack can't tell whether they are in it. */
export type ChannelTrouble = PostingTrouble | 'not-member' | 'unsure';

interface ChosenPlace {
  /** Null if there is none. */
  trouble: ChannelTrouble | null;
  sharing: Sharing;
}

/** What starting a run in a channel that a person chose needs: that the bot can post there, and the person sees it. */
export async function findChosenPlace(
  { client, identity, directory }: Pick<ListenerContext, 'client' | 'identity' | 'directory'>,
  { channel, personId }: { channel: string; personId: string },
): Promise<ChosenPlace> {
  const { trouble, sharing, privacy } = await findStartPlace(client, identity, channel);
  if (trouble || privacy === 'public') return { trouble, sharing };
  const members = await directory.membersOf({ kind: 'channel', name: 'channel' }, channel);
  if (!members) return { trouble: 'unsure', sharing };
  return { trouble: members.has(personId) ? null : 'not-member', sharing };
}
