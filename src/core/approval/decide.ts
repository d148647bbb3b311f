import type { Execution } from '../execution/execution.ts';
import { withApproval } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import type { LedgerEvent } from '../ledger/event.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Decision, Person, Verdict, Vote } from './approval.ts';
import { crewText } from './crew-text.ts';
import { decidedFacts, votedFacts, withdrawnEvents } from './ledger-facts.ts';
import type { OnText, Permission, Permitted } from './permission.ts';
import { findShown, forWhom, subjectOf } from './permission.ts';
import type { Evaluation } from './policy/evaluate.ts';
import { evaluate } from './policy/evaluate.ts';
import type { Refusal } from './refusal.ts';
import { whyClosed } from './refusal.ts';
import { shownAt } from './shown-at.ts';

/** A verdict before it is bound to a person and an instant. */
export interface Choice {
  verdict: Verdict;
  feedback: string | null;
  /** What the crew receives unless others have something to add. */
  text: string;
}

interface Ballot extends Permission, OnText {
  choice: Choice;
  by: Person;
  /** `confirmed`: the person was asked whether they approve that soon. */
  review?: 'confirmed' | 'unasked';
}

type Pending = Extract<Approval, { status: 'pending' }>;
type Counted = Exclude<Evaluation, { kind: 'refused' }>;

/**
 * Takes a person's verdict. One rejection decides; of approvals, the last that the quorum needs. The first decision wins, and
 * the same person giving the same verdict again has succeeded, and changes nothing. The policy is asked first, then
 * whether it is about the text that the person was shown.
 */
export function decide(
  execution: Execution,
  approvalId: string,
  { choice, by, revision, review = 'unasked', ...permission }: Ballot,
  now: Millis,
): Result<Execution, Refusal> {
  const found = findShown(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!found.ok) return found;
  const { approval, policy } = found.value;
  if (approval.status !== 'pending') return repeated(execution, approval, { choice, by });
  if (choice.verdict === 'reject' && !choice.feedback?.trim()) return refuse({ kind: 'feedback-missing' });
  const afterMs = Math.max(0, now - shownAt(approval));
  if (choice.verdict === 'approve' && review === 'unasked' && afterMs < policy.minReviewMs)
    return refuse({ kind: 'too-soon', afterMs });
  const evaluation = evaluate(policy, {
    verdict: choice.verdict,
    personId: by.id,
    subject: subjectOf(execution, approval, now),
    votes: approval.votes.map((vote) => vote.by.id),
    facts: permission.facts,
  });
  if (evaluation.kind === 'refused') return refuse({ kind: 'denied', denial: evaluation.denial });
  const ballot = { choice, by, evaluation, permission, found: { ...found.value, approval } };
  return ok(evaluation.kind === 'needs' ? vote(execution, ballot, now) : complete(execution, ballot, now));
}

interface Judged {
  choice: Choice;
  by: Person;
  evaluation: Counted;
  permission: Permission;
  found: Permitted & { approval: Pending };
}

/** The same vote again changes nothing; with another note, it replaces the first. */
function vote(execution: Execution, judged: Judged, now: Millis): Execution {
  const { choice, by, evaluation, found, permission } = judged;
  const { approval } = found;
  const given = approval.votes.find((each) => each.by.id === by.id);
  if (given && given.feedback === choice.feedback && evaluation.lapsed.length === 0) return execution;
  const own = { by, ...forWhom(approval, evaluation.own), at: now, feedback: choice.feedback };
  const votes = [...countedVotes(approval, evaluation), own];
  const events: LedgerEvent[] = [
    ...withdrawnEvents(approval.id, evaluation.lapsed, now),
    {
      kind: 'voted',
      at: now,
      facts: votedFacts(approval, { ...permission, vote: evaluation.own, feedback: choice.feedback }),
    },
  ];
  return events.reduce(recordEvent, withApproval(execution, { ...approval, votes }));
}

function complete(execution: Execution, judged: Judged, now: Millis): Execution {
  const { choice, by, evaluation, found, permission } = judged;
  const { approval, policy } = found;
  const votes = choice.verdict === 'approve' ? countedVotes(approval, evaluation) : approval.votes;
  const text = choice.verdict === 'approve' ? crewText(votes, { ...choice, by }, policy) : choice.text;
  const decision: Decision = {
    verdict: choice.verdict,
    feedback: choice.feedback,
    text,
    by,
    ...forWhom(approval, evaluation.own),
    at: now,
    ownTokenOnly: false,
  };
  const { undoMs } = policy;
  const decided: Approval = {
    ...approval,
    ...{ status: 'decided', votes, decision, attempts: [], tries: 0 },
    ...{ sendAt: now + undoMs, undoUntil: undoMs > 0 ? now + undoMs : null },
  };
  const facts = decidedFacts(execution, {
    approval,
    decision,
    undoMs,
    own: evaluation.own,
    votes: evaluation.votes,
    permission,
  });
  const events: LedgerEvent[] = [
    ...withdrawnEvents(approval.id, evaluation.lapsed, now),
    { kind: 'decided', at: now, facts },
  ];
  return events.reduce(recordEvent, withRunStatus(withApproval(execution, decided)));
}

/** Each names the right that it uses by now. */
function countedVotes(approval: Pending, { votes: counted }: Counted): Vote[] {
  return approval.votes.flatMap(({ for: _, ...vote }) => {
    const found = counted.find(({ personId }) => personId === vote.by.id);
    return found ? [{ ...vote, ...forWhom(approval, found) }] : [];
  });
}

/** The request, if this person may decide it on the text that they were shown and it is still open. */
export function findDecidable(
  execution: Execution,
  approvalId: string,
  asked: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const found = findShown(execution, approvalId, asked);
  const closed = found.ok ? whyClosed(found.value.approval) : null;
  return closed ? refuse(closed) : found;
}

function repeated(
  execution: Execution,
  approval: Approval,
  { choice, by }: { choice: Choice; by: Person },
): Result<Execution, Refusal> {
  const closed = whyClosed(approval);
  if (closed?.kind !== 'already-decided') return refuse(closed ?? { kind: 'unknown' });
  const given = closed.decision.verdict === choice.verdict ? givenBy(by, approval, closed.decision) : null;
  return given && given.feedback === choice.feedback ? ok(execution) : refuse(closed);
}

/** What this person has contributed to the decision; null if they haven't. */
function givenBy(by: Person, { votes }: Approval, decision: Decision): { feedback: string | null } | null {
  if (decision.by?.id === by.id) return decision;
  return decision.verdict === 'approve' ? (votes.find((each) => each.by.id === by.id) ?? null) : null;
}
