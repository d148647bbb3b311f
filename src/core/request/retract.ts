// Taking back: `undo` takes back a decision that wasn't sent yet, `withdraw` a vote before the decision is complete. Both follow a
// click on the card, which Slack may deliver twice.

import { withRunStatus } from '../execution/run.ts';
import { findShown, isOther, type OnText, type Permission } from '../policy/permission.ts';
import { OWN_DECISION } from '../policy/permits.ts';
import { type Refusal, whyClosed } from '../policy/refusal.ts';
import { type DecisionRules, findRules, policyFacts, type RequestRules } from '../policy/rules.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findRequest, withRequest } from '../state/execution.ts';
import {
  decisionOf,
  hasStatus,
  type Pending,
  type Person,
  type Retraction,
  retract,
  supersede,
} from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { closeDeclined } from './decline.ts';
import { approvesOwnEdits, isEditor, withoutEdits } from './edits.ts';

/**
 * Takes back a decision that has not been sent: the request waits again with its earlier votes and times, so that it may expire at
 * once. If tracking has stopped or the run was declined meanwhile, the request closes instead. Allowed for the person who decided and
 * for people who can decide; taking back a rejection takes a person who can decide by each of the possible rules.
 */
export function undo(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person },
  now: Millis,
): Result<Execution, Refusal> {
  const undoable = findUndoable(execution, approvalId, { by, now, ...permission });
  if (!undoable.ok)
    return isTakenBack(execution, approvalId, { kind: 'decision', by }, undoable.refusal) ? ok(execution) : undoable;
  const { request, rule, isSure } = undoable.value;
  // Slack may deliver a click again.
  if (request.state.status === 'pending')
    return request.discussion.takenBack > 0 ? ok(execution) : refuse({ kind: 'no-decision' });
  if (request.state.status !== 'decided' || request.state.undoUntil === null || now >= request.state.undoUntil)
    return refuse(whyClosed(request) ?? { kind: 'unknown' });
  if (request.state.decision.verdict !== 'approve' && !isSure)
    return refuse({ kind: 'denied', denial: { kind: 'not-approver' } });
  const pending: Pending = { ...request, state: { status: 'pending' } };
  const { by: decider, feedback: text } = request.state.decision;
  const restored = approvesOwnEdits(request.question, request.state.decision)
    ? withoutEdits(pending, { by, execution, rules: permission }, now)
    : { execution, request: pending };
  const waiting = retract(restored.request, { kind: 'decision', by, of: decider ?? by, text, at: now });
  const reopened = execution.unfollowed ? supersede(waiting, 'unfollowed', now) : waiting;
  const facts = { approval: approvalId, by: by.id, rule, ...policyFacts(undoable.value) };
  const undone = closeDeclined(withRunStatus(withRequest(restored.execution, reopened)), now);
  return ok(recordEvent(undone, { kind: 'undone', at: now, facts }));
}

function findUndoable(
  execution: Execution,
  approvalId: string,
  { by, ...permission }: Permission & OnText & { by: Person; now: Millis },
): Result<RequestRules & { rule: string; isSure: boolean }, Refusal> {
  const request = findRequest(execution, approvalId);
  if (request?.state.status === 'decided' && request.state.decision.by?.id === by.id) {
    const { now, revision } = permission;
    if (isOther(request, revision)) return refuse({ kind: 'other-text' });
    return ok({ ...findRules(permission, { execution, request, now }), rule: OWN_DECISION, isSure: true });
  }
  return findShown(execution, approvalId, { personId: by.id, ...permission });
}

/** Returns true for a repeated click that has already taken back edits: the request is about the crew's text again. */
function isTakenBack(
  execution: Execution,
  approvalId: string,
  { kind, by }: Pick<Retraction, 'kind' | 'by'>,
  refusal: Refusal,
): boolean {
  const request = findRequest(execution, approvalId);
  if (request?.state.status !== 'pending' || refusal.kind !== 'other-text') return false;
  return request.discussion.retractions.some((each) => each.kind === kind && each.by.id === by.id);
}

/** Takes a person's own vote back, which everyone may until the decision is complete. Their edits of the text go with it. */
export function withdraw(
  execution: Execution,
  approvalId: string,
  { by, revision, ...rules }: OnText & { by: Person } & Partial<DecisionRules>,
  now: Millis,
): Result<Execution, Refusal> {
  const request = findRequest(execution, approvalId);
  if (!request) return refuse({ kind: 'unknown' });
  if (isOther(request, revision)) {
    const refusal = { kind: 'other-text' } as const;
    return isTakenBack(execution, approvalId, { kind: 'vote', by }, refusal) ? ok(execution) : refuse(refusal);
  }
  const vote = request.discussion.votes.find((each) => each.by.id === by.id);
  const complete = request.discussion.stages.find(({ votes }) => votes.some((each) => each.by.id === by.id));
  const decider = decisionOf(request)?.by ?? null;
  const counts = vote !== undefined || complete !== undefined || decider?.id === by.id;
  // Slack may deliver a click again, even once others have decided.
  if (!counts && request.discussion.retractions.some(({ kind, of }) => kind === 'vote' && of.id === by.id))
    return ok(execution);
  if (!hasStatus(request, 'pending')) return refuse(whyClosed(request) ?? { kind: 'unknown' });
  // A vote that has completed a stage by some rules can't leave it, even if it waits by others.
  if (!vote || complete) return refuse({ kind: 'no-vote', ...(complete && { stage: complete.name }) });
  const votes = request.discussion.votes.filter((each) => each !== vote);
  const left = isEditor(request.question, by)
    ? withoutEdits(request, { by, execution, rules }, now)
    : { execution, request: { ...request, discussion: { ...request.discussion, votes } } };
  const withdrawn = retract(left.request, { kind: 'vote', by, of: by, text: vote.feedback, at: now });
  const facts = { approval: approvalId, by: by.id, reason: 'own' };
  return ok(recordEvent(withRequest(left.execution, withdrawn), { kind: 'withdrawn', at: now, facts }));
}
