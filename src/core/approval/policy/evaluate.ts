import type { Verdict } from '../approval.ts';
import type { Facts } from './facts.ts';
import type { Denial, Right, Subject } from './permits.ts';
import { isSamePerson, permits } from './permits.ts';
import type { Policy } from './policy.ts';

/** A verdict that a person gives now, beside the votes that were given before. */
interface Ballot {
  verdict: Verdict;
  personId: string;
  subject: Subject;
  /** Whose votes there are, oldest first. */
  votes: readonly string[];
  facts: Facts;
}

/** A vote that counts, the rule that allows it, and whose right it uses. */
export interface CountedVote {
  personId: string;
  rule: string;
  right: Right;
}

/** A vote that no longer counts: its voter may not decide any more, or another one uses the same right. */
export interface LapsedVote {
  personId: string;
  denial: Denial;
}

/**
 * What a verdict amounts to. `allowed`: it completes the decision. `needs`: it counts, and this many more are needed.
 */
export type Evaluation =
  | { kind: 'allowed'; own: CountedVote; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'needs'; more: number; own: CountedVote; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'refused'; denial: Denial };

/**
 * Judges a verdict by the policy in force now. Earlier votes count only if their voters may still decide, once for each person,
 * whatever accounts they have, and once for each right. If Slack can't say whether an earlier voter still may, nothing is
 * approved. A rejection needs no votes, and ends none.
 */
export function evaluate(policy: Policy, { verdict, personId, subject, votes, facts }: Ballot): Evaluation {
  const permit = permits(policy, subject, personId, facts);
  if (permit.kind === 'denied') return { kind: 'refused', denial: permit.denial };
  const { rule, rights } = permit;
  const vote: Vote = { personId, rule, rights };
  const valid: Vote[] = [];
  const lapsed: LapsedVote[] = [];
  for (const voterId of votes) {
    if ([personId, ...valid.map((each) => each.personId)].some((id) => isSamePerson(id, voterId, facts))) continue;
    const earlier = permits(policy, subject, voterId, facts);
    if (earlier.kind === 'permitted') valid.push({ personId: voterId, rule: earlier.rule, rights: earlier.rights });
    else if (verdict === 'reject') continue;
    else if (earlier.denial.kind === 'unsure') return { kind: 'refused', denial: earlier.denial };
    else lapsed.push({ personId: voterId, denial: earlier.denial });
  }
  const used = assignRights([...valid, vote], facts);
  const counted = valid.flatMap((each) => used.countedOf(each) ?? []);
  if (verdict === 'reject')
    return { kind: 'allowed', own: { personId, rule, right: rights[0] }, votes: counted, lapsed: [] };
  const own = used.countedOf(vote);
  if (!own) return { kind: 'refused', denial: used.denialOf(vote) };
  for (const each of valid)
    if (!used.countedOf(each)) lapsed.push({ personId: each.personId, denial: used.denialOf(each) });
  const more = policy.quorum - counted.length - 1;
  return more > 0
    ? { kind: 'needs', more, own, votes: counted, lapsed }
    : { kind: 'allowed', own, votes: counted, lapsed };
}

interface Vote {
  personId: string;
  rule: string;
  rights: readonly Right[];
}

/**
 * Gives as many votes as possible a right of their own, the oldest first: one that could use several makes room for one that
 * can't (augmenting paths, as in Kuhn's algorithm).
 */
function assignRights(votes: readonly Vote[], facts: Facts) {
  const users: { right: Right; vote: Vote }[] = [];
  const placeOf = ({ holder }: Right) => users.findIndex(({ right }) => isSamePerson(right.holder, holder, facts));

  function assign(vote: Vote, tried: Set<number>): boolean {
    return vote.rights.some((right) => {
      const place = placeOf(right);
      const user = users[place];
      if (!user) return users.push({ right, vote }) > 0;
      if (tried.has(place)) return false;
      tried.add(place);
      if (!assign(user.vote, tried)) return false;
      users[place] = { right, vote };
      return true;
    });
  }

  for (const vote of votes) assign(vote, new Set());
  return {
    countedOf({ personId, rule }: Vote): CountedVote | null {
      const right = users.find((each) => each.vote.personId === personId)?.right;
      return right ? { personId, rule, right } : null;
    },
    denialOf({ rights }: Vote): Denial {
      const [right] = rights;
      return { kind: 'right-used', by: (right && users[placeOf(right)]?.vote.personId) ?? '' };
    },
  };
}
