import type { Account } from '../../core/approval/policy/facts.ts';
import type { RulesOf } from '../../core/crew.ts';
import { type ClassifiedSnapshot, classifySnapshot } from '../../core/inbox/classified-snapshot.ts';
import { inboxOf, startersInDoubt } from '../../core/inbox/inbox-of.ts';
import type { Viewer } from '../../core/inbox/judge.ts';
import type { Overview } from '../../core/inbox/overview.ts';
import { EMPTY_INBOX, type PersonalInbox } from '../../core/inbox/personal-inbox.ts';
import type { Snapshot } from '../../core/inbox/snapshot.ts';
import type { ListDirectory } from '../directory/slack-directory.ts';
import { createAskAll } from './ask-all.ts';
import { gatherFacts } from './gather-facts.ts';

/** How long Slack is asked about groups and channels while a person waits for their list. */
const MOST_WAIT_MS = 2_000;

export interface Inbox {
  /** What concerns a person, by the policies in force and facts at most a minute old. Throws `StoreUnavailable`. */
  of(personId: string): Promise<PersonalInbox>;
}

interface InboxParts {
  overview: Overview;
  directory: ListDirectory;
  rulesOf: RulesOf;
}

/** Those who may decide nothing at all, whatever the policy says, see nothing. */
export function createInbox({ overview, directory, rulesOf }: InboxParts): Inbox {
  const classified = new WeakMap<Snapshot, ClassifiedSnapshot>();
  const askAll = createAskAll();

  function classify(snapshot: Snapshot): ClassifiedSnapshot {
    const known = classified.get(snapshot);
    const found = known ?? classifySnapshot(snapshot, rulesOf);
    if (!known) classified.set(snapshot, found);
    return found;
  }

  async function inboxFor(personId: string, account: Account, found: ClassifiedSnapshot): Promise<PersonalInbox> {
    const deadline = AbortSignal.timeout(MOST_WAIT_MS);
    const facts = await gatherFacts({ directory, askAll, deadline }, found.neededFacts);
    const own = { [personId]: account };
    const viewer: Viewer = { id: personId, account, facts: { ...facts, accounts: own }, now: Date.now() };
    const starters = await askAll(startersInDoubt(found, viewer), directory.accountInLists, deadline);
    return inboxOf(found, { ...viewer, facts: { ...facts, accounts: { ...Object.fromEntries(starters), ...own } } });
  }

  return {
    async of(personId) {
      const [snapshot, account] = await Promise.all([overview.latest(), directory.account(personId)]);
      if (!account) return { at: Date.now(), ...EMPTY_INBOX, unsure: snapshot.requests.length };
      const isOutside = account.isStranger || account.isBot || account.isDeactivated;
      return isOutside ? { at: Date.now(), ...EMPTY_INBOX } : inboxFor(personId, account, classify(snapshot));
    },
  };
}
