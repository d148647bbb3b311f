import { LRUCache } from 'lru-cache';
import type { Account, Facts } from '../../core/approval/policy/permits.ts';
import type { Approver } from '../../core/approval/policy/policy.ts';
import type { ChannelFacts, InboxFacts } from '../../core/inbox/judge.ts';
import type { NeededFacts } from '../../core/inbox/request-classes.ts';
import type { ListDirectory } from '../directory/directory.ts';
import { type AskAll, createAskAll } from './ask-all.ts';

/** How long Slack is asked while people wait for their lists: about groups and channels, and then about people. */
const MOST_WAIT_MS = { groups: 1_200, people: 800 };

/** All who open their lists at the same time need the same. */
const REUSE_MS = 1_000;

/** Each opening would ask for hundreds again. */
const ACCOUNT_MS = 60_000;
const MOST_ACCOUNTS = 5_000;

const CHANNEL_MEMBERS: Approver = { kind: 'channel', name: 'channel' };

type SharedFacts = Pick<InboxFacts, 'members' | 'channels'>;

/** What Slack says about groups, channels and those who started runs. What it can't tell in two seconds isn't known. */
interface InboxFactsSource {
  about(needed: NeededFacts): Promise<SharedFacts>;
  accountsOf(people: ReadonlySet<string>): Promise<Facts['accounts']>;
}

export function createInboxFacts(directory: ListDirectory): InboxFactsSource {
  const askAll = createAskAll();
  const accounts = new LRUCache<string, Account>({ max: MOST_ACCOUNTS, ttl: ACCOUNT_MS });
  let shared: { needed: NeededFacts; facts: Promise<SharedFacts>; until: number } | null = null;

  async function account(id: string): Promise<Account | null> {
    const found = await directory.accountInLists(id);
    if (found) accounts.set(id, found);
    return found;
  }

  return {
    async about(needed) {
      const now = performance.now();
      if (!shared || shared.needed !== needed || now >= shared.until)
        shared = { needed, facts: gather({ directory, askAll }, needed), until: now + REUSE_MS };
      return shared.facts;
    },
    async accountsOf(people) {
      const unknown = [...people].filter((id) => !accounts.has(id));
      const asked = await askAll(unknown, account, AbortSignal.timeout(MOST_WAIT_MS.people));
      return Object.fromEntries([...people].map((id) => [id, accounts.get(id) ?? asked.get(id) ?? null]));
    },
  };
}

interface Asking {
  directory: ListDirectory;
  askAll: AskAll;
}

async function gather(asking: Asking, needed: NeededFacts): Promise<SharedFacts> {
  const deadline = AbortSignal.timeout(MOST_WAIT_MS.groups);
  const byName = new Map(needed.approvers.map((approver) => [approver.name, approver]));
  const membersOf = async (name: string) => {
    const approver = byName.get(name);
    return approver ? asking.directory.membersOf(approver, '') : null;
  };
  const [members, channels] = await Promise.all([
    asking.askAll(byName.keys(), membersOf, deadline),
    gatherChannels(asking, needed, deadline),
  ]);
  return { members: Object.fromEntries(members), channels };
}

async function gatherChannels(
  { directory, askAll }: Asking,
  { membersOf, privacyOf }: NeededFacts,
  deadline: AbortSignal,
): Promise<Map<string, ChannelFacts>> {
  const privacies = await askAll(privacyOf, directory.isPublic, deadline);
  const hidden = [...privacyOf].filter((channel) => privacies.get(channel) !== true);
  const asked = new Set([...membersOf, ...hidden]);
  const members = await askAll(asked, (channel) => directory.membersOf(CHANNEL_MEMBERS, channel), deadline);
  const channels = [...new Set([...membersOf, ...privacyOf])];
  const factsOf = (channel: string): ChannelFacts => {
    return { isPublic: privacies.get(channel) ?? null, members: members.get(channel) ?? null };
  };
  return new Map(channels.map((channel) => [channel, factsOf(channel)]));
}
