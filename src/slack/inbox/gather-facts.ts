import type { Approver } from '../../core/approval/policy/approver.ts';
import type { ChannelFacts, InboxFacts } from '../../core/inbox/judge.ts';
import type { NeededFacts } from '../../core/inbox/request-classes.ts';
import type { ListDirectory } from '../directory/slack-directory.ts';
import type { AskAll } from './ask-all.ts';

const CHANNEL_MEMBERS: Approver = { kind: 'channel', name: 'channel' };

interface Asking {
  directory: ListDirectory;
  askAll: AskAll;
  deadline: AbortSignal;
}

/** Who is in which group and channel, and which channels are private. */
export async function gatherFacts(
  asking: Asking,
  needed: NeededFacts,
): Promise<Pick<InboxFacts, 'members' | 'channels'>> {
  const { directory, askAll, deadline } = asking;
  const byName = new Map(needed.approvers.map((approver) => [approver.name, approver]));
  const membersOf = async (name: string) => {
    const approver = byName.get(name);
    return approver ? directory.membersOf(approver, '') : null;
  };
  const [members, channels] = await Promise.all([
    askAll(byName.keys(), membersOf, deadline),
    gatherChannels(asking, needed),
  ]);
  return { members: Object.fromEntries(members), channels };
}

async function gatherChannels(
  { directory, askAll, deadline }: Asking,
  { membersOf, privacyOf }: NeededFacts,
): Promise<Map<string, ChannelFacts>> {
  const privacies = await askAll(privacyOf, (channel) => directory.isPublic(channel), deadline);
  const hidden = [...privacyOf].filter((channel) => privacies.get(channel) !== true);
  const channels = new Set([...membersOf, ...hidden]);
  const members = await askAll(channels, (channel) => directory.membersOf(CHANNEL_MEMBERS, channel), deadline);
  const known = [...new Set([...membersOf, ...privacyOf])].map((channel): [string, ChannelFacts] => [
    channel,
    { isPublic: privacies.get(channel) ?? null, members: members.get(channel) ?? null },
  ]);
  return new Map(known);
}
