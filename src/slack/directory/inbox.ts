import { LRUCache } from 'lru-cache';
import {
  EMPTY_INBOX,
  inboxOf,
  judgedIn,
  type PersonalInbox,
  type PreparedSnapshot,
  prepare,
} from '../../core/inbox/inbox.ts';
import type { ChannelFacts, InboxFacts, Judged, Viewer } from '../../core/inbox/judgement.ts';
import { giversInDoubt, type NeededFacts, neededFacts, startersInDoubt } from '../../core/inbox/needed-facts.ts';
import type { Overview, Snapshot } from '../../core/inbox/snapshot.ts';
import type { RulesOf } from '../../core/policy/crew.ts';
import type { Account, Facts } from '../../core/policy/permits.ts';
import type { Approver } from '../../core/policy/policy.ts';
import { inParallel } from '../../core/values/in-parallel.ts';
import { aborted, type ListDirectory } from './directory.ts';

// Finds people's inboxes for Home: asks Slack for the facts by which `core/inbox` judges the open requests.

/** Finds which requests and runs concern a person, by what Slack says about groups, channels and people. */
export interface Inbox {
  /** Uses the policies in force, and facts that are ten minutes old at most. Throws `StoreUnavailable`. */
  of(personId: string): Promise<PersonalInbox>;
}

interface InboxParts {
  overview: Pick<Overview, 'latest'>;
  directory: ListDirectory;
  rulesOf: RulesOf;
}

/** The latest snapshot, with what is the same for all people who look at it. */
interface KnownSnapshot {
  prepared: PreparedSnapshot;
  judged: readonly Judged[];
  needed: NeededFacts;
}

/** People who can't decide anything, whatever the policy says, get an empty inbox. */
export function createInbox({ overview, directory, rulesOf }: InboxParts): Inbox {
  const facts = new FactsSource(directory);
  let last: KnownSnapshot | null = null;

  function judge(snapshot: Snapshot): KnownSnapshot {
    if (last?.prepared.snapshot === snapshot) return last;
    const prepared = prepare(snapshot, rulesOf);
    const judged = judgedIn(prepared);
    last = { prepared, judged, needed: neededFacts(judged) };
    return last;
  }

  async function inboxFor(personId: string, account: Account, snapshot: KnownSnapshot): Promise<PersonalInbox> {
    const { prepared, judged, needed } = snapshot;
    const givers = giversInDoubt(judged, account);
    const { members, privacies } = await facts.about(needed);
    const [channels, giverAccounts] = await Promise.all([
      facts.channelsFor([personId, ...givers], needed, privacies),
      facts.accountsOf(givers),
    ]);
    const viewerWith = (accounts: Facts['accounts']): Viewer => {
      const withOwn = { ...accounts, [personId]: account };
      return { id: personId, account, facts: { members, channels, accounts: withOwn }, now: Date.now() };
    };
    const starters = await facts.accountsOf(startersInDoubt(judged, viewerWith(giverAccounts)));
    return inboxOf(prepared, viewerWith({ ...giverAccounts, ...starters }));
  }

  return {
    async of(personId) {
      const [snapshot, account] = await Promise.all([overview.latest(), directory.account(personId)]);
      if (!account) return { at: Date.now(), ...EMPTY_INBOX, unsure: snapshot.requests.length };
      const isOutside = account.isStranger || account.isBot || account.isDeactivated;
      return isOutside ? { at: Date.now(), ...EMPTY_INBOX } : inboxFor(personId, account, judge(snapshot));
    },
  };
}

/** People who open a list wait for Slack at most so long: once for groups and channels, and twice for people. */
const MOST_WAIT_MS = { groups: 1_200, people: 800 };

/** People who open their lists at the same time need the same groups. */
const REUSE_MS = 1_000;

/** Keeps each opening of a list from asking for hundreds of accounts again. */
const ACCOUNT_MS = 60_000;
const MOST_ACCOUNTS = 5_000;

interface SharedFacts {
  members: InboxFacts['members'];
  privacies: Privacies;
}

/** Tells for each channel whether it is public; null if Slack can't tell. */
type Privacies = ReadonlyMap<string, boolean | null>;

const CHANNEL_MEMBERS: Approver = { kind: 'channel', name: 'channel' };

/** Asks Slack about groups, channels and people who started runs. Late answers count as unknown. */
class FactsSource {
  readonly #directory: ListDirectory;
  readonly #askAll = createAskAll();
  readonly #accounts = new LRUCache<string, Account>({ max: MOST_ACCOUNTS, ttl: ACCOUNT_MS });
  #shared: { needed: NeededFacts; facts: Promise<SharedFacts>; until: number } | null = null;

  constructor(directory: ListDirectory) {
    this.#directory = directory;
  }

  about(needed: NeededFacts): Promise<SharedFacts> {
    const now = performance.now();
    if (this.#shared?.needed !== needed || now >= this.#shared.until)
      this.#shared = { needed, facts: this.#gather(needed), until: now + REUSE_MS };
    return this.#shared.facts;
  }

  /** Resolves to the members of each channel among these people, as far as it matters. */
  async channelsFor(
    people: readonly string[],
    { membersOf, privacyOf }: NeededFacts,
    privacies: Privacies,
  ): Promise<Map<string, ChannelFacts>> {
    const hidden = [...privacyOf].filter((channel) => privacies.get(channel) !== true);
    const among = (channel: string) => this.#directory.membersInLists(CHANNEL_MEMBERS, channel, people);
    const deadline = AbortSignal.timeout(MOST_WAIT_MS.people);
    const members = await this.#askAll(new Set([...membersOf, ...hidden]), among, deadline);
    const factsOf = (channel: string): ChannelFacts => {
      return { isPublic: privacies.get(channel) ?? null, members: members.get(channel) ?? null };
    };
    return new Map([...membersOf, ...privacyOf].map((channel) => [channel, factsOf(channel)]));
  }

  async accountsOf(people: ReadonlySet<string>): Promise<Facts['accounts']> {
    const accounts = this.#accounts;
    const fetchAccount = async (id: string) => {
      const account = await this.#directory.accountInLists(id);
      if (account) accounts.set(id, account);
      return account;
    };
    const unknown = [...people].filter((id) => !accounts.has(id));
    const fetched = await this.#askAll(unknown, fetchAccount, AbortSignal.timeout(MOST_WAIT_MS.people));
    return Object.fromEntries([...people].map((id) => [id, accounts.get(id) ?? fetched.get(id) ?? null]));
  }

  async #gather({ approvers, privacyOf }: NeededFacts): Promise<SharedFacts> {
    const deadline = AbortSignal.timeout(MOST_WAIT_MS.groups);
    const byName = new Map(approvers.map((approver) => [approver.name, approver]));
    const membersOf = async (name: string) => {
      const approver = byName.get(name);
      return approver ? this.#directory.membersInLists(approver, '') : null;
    };
    const [members, privacies] = await Promise.all([
      this.#askAll(byName.keys(), membersOf, deadline),
      this.#askAll(privacyOf, this.#directory.isPublic, deadline),
    ]);
    return { members: Object.fromEntries(members), privacies };
  }
}

const ASKED_AT_ONCE = 8;
/** Keeps each opening of a list from asking a failing Slack again. */
const FAILED_MS = 10_000;
const MOST_FAILURES = 5_000;

/** Asks many questions, a few at a time, until the deadline. Later answers count as null. */
type AskAll = <Answer>(
  questions: Iterable<string>,
  ask: (question: string) => Promise<Answer | null>,
  deadline: AbortSignal,
) => Promise<ReadonlyMap<string, Answer | null>>;

/** `ask` answers null if Slack can't tell. That question isn't asked again for ten seconds. */
function createAskAll(): AskAll {
  const failed = new LRUCache<string, true>({ max: MOST_FAILURES, ttl: FAILED_MS });
  return async (questions, ask, deadline) => {
    const open = [...questions].filter((question) => !failed.has(question));
    const answers = new Map<string, Awaited<ReturnType<typeof ask>>>();
    const asking = inParallel(ASKED_AT_ONCE, open, async (question) => {
      if (deadline.aborted) return;
      const answer = await ask(question);
      if (answer === null) failed.set(question, true);
      answers.set(question, answer);
    });
    await Promise.race([asking, aborted(deadline)]);
    // Late answers stay for the next person who asks.
    return new Map(answers);
  };
}
