import type { Account, Facts } from '../../core/approval/policy/permits.ts';
import type { RulesOf } from '../../core/crew.ts';
import { type ClassifiedSnapshot, classifySnapshot } from '../../core/inbox/classified-snapshot.ts';
import { giversInDoubt, inboxOf, startersInDoubt } from '../../core/inbox/inbox-of.ts';
import type { Viewer } from '../../core/inbox/judge.ts';
import type { Overview } from '../../core/inbox/overview.ts';
import { EMPTY_INBOX, type PersonalInbox } from '../../core/inbox/personal-inbox.ts';
import type { Snapshot } from '../../core/inbox/snapshot.ts';
import type { ListDirectory } from '../directory/directory.ts';
import { createInboxFacts } from './inbox-facts.ts';

export interface Inbox {
  /** What concerns a person, by the policies in force and facts at most a minute old. Throws `StoreUnavailable`. */
  of(personId: string): Promise<PersonalInbox>;
}

interface InboxParts {
  overview: Pick<Overview, 'latest'>;
  directory: ListDirectory;
  rulesOf: RulesOf;
}

/** Those who may decide nothing at all, whatever the policy says, see nothing. */
export function createInbox({ overview, directory, rulesOf }: InboxParts): Inbox {
  const known = new WeakMap<Snapshot, ClassifiedSnapshot>();
  const facts = createInboxFacts(directory);

  function classified(snapshot: Snapshot): ClassifiedSnapshot {
    const found = known.get(snapshot) ?? classifySnapshot(snapshot, rulesOf);
    known.set(snapshot, found);
    return found;
  }

  async function inboxFor(personId: string, account: Account, snapshot: ClassifiedSnapshot): Promise<PersonalInbox> {
    const { members, channels } = await facts.about(snapshot.neededFacts);
    const viewerWith = (accounts: Facts['accounts']): Viewer => {
      const known = { ...accounts, [personId]: account };
      return { id: personId, account, facts: { members, channels, accounts: known }, now: Date.now() };
    };
    const givers = await facts.accountsOf(giversInDoubt(snapshot, viewerWith({})));
    const starters = await facts.accountsOf(startersInDoubt(snapshot, viewerWith(givers)));
    return inboxOf(snapshot, viewerWith({ ...givers, ...starters }));
  }

  return {
    async of(personId) {
      const [snapshot, account] = await Promise.all([overview.latest(), directory.account(personId)]);
      if (!account) return { at: Date.now(), ...EMPTY_INBOX, unsure: snapshot.requests.length };
      const isOutside = account.isStranger || account.isBot || account.isDeactivated;
      return isOutside ? { at: Date.now(), ...EMPTY_INBOX } : inboxFor(personId, account, classified(snapshot));
    },
  };
}
