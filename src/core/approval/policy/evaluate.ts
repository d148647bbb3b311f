import type { Verdict } from '../approval.ts';
import type { Facts } from './facts.ts';
import type { Denial, Subject } from './permits.ts';
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

/** A vote that counts, and the rule that allows it. */
export interface CountedVote {
  personId: string;
  rule: string;
}

/** A vote that no longer counts, since its voter may not decide any more. */
export interface LapsedVote {
  personId: string;
  denial: Denial;
}

/**
 * What a verdict amounts to. `allowed`: it completes the decision. `needs`: it counts, and this many more are needed.
 */
export type Evaluation =
  | { kind: 'allowed'; rule: string; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'needs'; more: number; rule: string; votes: CountedVote[]; lapsed: LapsedVote[] }
  | { kind: 'refused'; denial: Denial };

/**
 * Judges a verdict by the policy in force now. Earlier votes count only if their voters may still decide, and once for each
 * person, whatever accounts they have. If Slack can't say whether an earlier voter still may, nothing is approved. A rejection
 * needs no votes, and ends none.
 */
export function evaluate(policy: Policy, { verdict, personId, subject, votes, facts }: Ballot): Evaluation {
  const own = permits(policy, subject, personId, facts);
  if (own.kind === 'denied') return { kind: 'refused', denial: own.denial };
  const { rule } = own;
  const counted: CountedVote[] = [];
  const lapsed: LapsedVote[] = [];
  for (const voterId of votes) {
    if ([personId, ...counted.map((each) => each.personId)].some((id) => isSamePerson(id, voterId, facts))) continue;
    const permit = permits(policy, subject, voterId, facts);
    if (permit.kind === 'permitted') counted.push({ personId: voterId, rule: permit.rule });
    else if (verdict === 'reject') continue;
    else if (permit.denial.kind === 'unsure') return { kind: 'refused', denial: permit.denial };
    else lapsed.push({ personId: voterId, denial: permit.denial });
  }
  const more = verdict === 'reject' ? 0 : policy.quorum - counted.length - 1;
  return more > 0
    ? { kind: 'needs', more, rule, votes: counted, lapsed }
    : { kind: 'allowed', rule, votes: counted, lapsed };
}
