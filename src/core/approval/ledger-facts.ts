import { type Execution, starterOf } from '../execution/execution.ts';
import type { LedgerEvent, LedgerFacts, RightFacts, TextFacts, VoteFacts } from '../ledger/entry.ts';
import { sha256 } from '../ledger/sha256.ts';
import type { Millis } from '../time.ts';
import type { Approval, Decision } from './approval.ts';
import { type Permission, subjectOf } from './permission.ts';
import { policyHash } from './policy/document.ts';
import type { CountedVote, LapsedVote } from './policy/evaluate.ts';
import type { Facts, Right } from './policy/permits.ts';
import type { CrewPolicy } from './policy/policy.ts';

function textFacts(text: string): TextFacts {
  return { sha256: sha256(text), length: text.length };
}

function voteFacts({ personId, rule, right }: CountedVote, facts: Facts): VoteFacts {
  return { ...rightFacts({ holder: personId, rule }, facts), ...givenFacts(right, personId, facts) };
}

/** With whose right a person acts, unless it is their own. */
export function givenFacts(right: Right, personId: string, facts: Facts): { for?: RightFacts } {
  return right.holder === personId ? {} : { for: rightFacts(right, facts) };
}

function rightFacts({ holder, rule }: Right, { accounts }: Facts): RightFacts {
  const account = accounts[holder];
  const kind = account?.isStranger ? 'stranger' : account?.isGuest ? 'guest' : 'member';
  return { by: holder, rule, account: kind };
}

export function askedFacts(
  execution: Execution,
  { id, taskId, taskName, round, output }: Approval,
  policy: CrewPolicy | null,
): LedgerFacts['asked'] {
  const { crew, channel } = execution;
  return {
    approval: id,
    crew,
    channel,
    round,
    task: { id: taskId, name: taskName },
    output: { sha256: output.hash, length: output.length },
    starter: starterOf(execution)?.id ?? null,
    policy: policyHash(policy),
  };
}

export function votedFacts(
  { id: approval }: Approval,
  { vote, feedback, policy, facts }: Permission & { vote: CountedVote; feedback: string | null },
): LedgerFacts['voted'] {
  const text = feedback === null ? null : textFacts(feedback);
  return { approval, ...voteFacts(vote, facts), text, policy: policyHash(policy) };
}

export function decidedFacts(
  execution: Execution,
  {
    approval,
    decision,
    undoMs,
    own,
    votes,
    permission,
  }: {
    approval: Approval;
    decision: Decision;
    undoMs: Millis;
    /** The vote that completed it; null if it was nobody's. */
    own: CountedVote | null;
    votes: readonly CountedVote[];
    permission: Permission;
  },
): LedgerFacts['decided'] {
  const { isEscalated, handedOver } = subjectOf(execution, approval, decision.at);
  const { verdict, text } = decision;
  return {
    approval: approval.id,
    verdict,
    by: own && voteFacts(own, permission.facts),
    votes: votes.map((vote) => voteFacts(vote, permission.facts)),
    text: textFacts(text),
    policy: policyHash(permission.policy),
    escalated: isEscalated,
    handed_to: [...new Set(handedOver.map(({ to }) => to))],
    undo_ms: undoMs,
  };
}

/** The votes of people who may not decide any more. */
export function withdrawnEvents(approval: string, lapsed: readonly LapsedVote[], at: Millis): LedgerEvent[] {
  return lapsed.map(({ personId, denial }) => ({
    kind: 'withdrawn',
    at,
    facts: { approval, by: personId, reason: denial.kind },
  }));
}
