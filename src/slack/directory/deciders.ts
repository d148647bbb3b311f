// Finds out whether enough people can decide a request by its rules.
import { type Facts, NO_FACTS } from '../../core/policy/permits.ts';
import { type Approver, namedInStages, startersToKnow } from '../../core/policy/policy.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import { shortagesOf } from '../../core/policy/shortage.ts';
import type { Directory } from '../../core/ports.ts';
import type { Shortage } from '../../core/state/shortage.ts';
import { gatherFacts, gatherMembers } from './directory.ts';

/** People are looked up in batches of this size. The first active members are usually enough. */
const AT_ONCE = 10;

/** Looking up more people would take too many calls. */
const MOST_LOOKED_UP = 200;

/** Returns why a request can't be completed by its possible rules; `unsure` if Slack can't tell. Never throws. */
export async function findShortages(directory: Directory, rules: RequestRules): Promise<Shortage[] | 'unsure'> {
  const { execution, policies, subject } = rules;
  if (policies.length === 0) return 'unsure';
  const { channel } = execution;
  const approvers = policies.flatMap(namedInStages).filter(isListed);
  const members = await gatherMembers(directory, approvers, channel);
  const people = [
    ...new Set(approvers.flatMap(({ kind, name }) => (kind === 'person' ? [name] : [...(members[name] ?? [])]))),
  ];
  const starters = policies.flatMap((policy) => startersToKnow(policy, subject.starterId));
  let facts: Facts = NO_FACTS;
  for (let end = AT_ONCE; ; end += AT_ONCE) {
    const batch = people.slice(end - AT_ONCE, end);
    const more = await gatherFacts(directory, { people: batch, approvers, starters, channel });
    facts = { ...more, accounts: { ...facts.accounts, ...more.accounts }, members: { ...more.members, ...members } };
    const shortages = shortagesOf(rules, people.slice(0, end), facts);
    if (shortages.length === 0 || end >= people.length) return shortages;
    if (end >= MOST_LOOKED_UP) return 'unsure';
  }
}

/** Returns false for a channel and the workspace, which always have enough people, so that nobody lists them. */
function isListed({ kind }: Approver): boolean {
  return kind !== 'channel' && kind !== 'workspace';
}
