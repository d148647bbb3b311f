import type { Execution } from '../execution/execution.ts';
import { MOST_KICKOFF_IDS } from '../execution/limits.ts';
import { withRunStatus } from '../execution/run.ts';
import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';
import { provenBy } from './settle.ts';

/** How long evidence may prove an unanswered resume before a person is asked. */
export const EVIDENCE_MS = 20_000;

/** What every notification carries besides its own content. */
interface EventIds {
  hop: number;
  kickoffId: string | null;
  executionId?: string | null;
}

/**
 * Records what a notification proves: new ids, and that the resume arrived which gave out the address the notification came
 * in at (same hop). It proves nothing about earlier resumes: with parallel tasks those may have been lost. Returns the same
 * object if it proves nothing new.
 */
export function recordEvidence(execution: Execution, event: EventIds, now: Millis): Execution {
  const isFull = execution.kickoffIds.length >= MOST_KICKOFF_IDS;
  const kickoffIds = isFull ? execution.kickoffIds : withKickoffId(execution.kickoffIds, event.kickoffId);
  const executionId = execution.executionId ?? event.executionId ?? null;
  const approvals = execution.approvals.map((approval) => proven(approval, event.hop, now));
  const isKnown = kickoffIds === execution.kickoffIds && executionId === execution.executionId;
  if (isKnown && approvals.every((approval, i) => approval === execution.approvals[i])) return execution;
  return withRunStatus({ ...execution, kickoffIds, executionId, approvals });
}

/** Appends an id that isn't known yet. */
export function withKickoffId(kickoffIds: string[], kickoffId: string | null): string[] {
  return kickoffId === null || kickoffIds.includes(kickoffId) ? kickoffIds : [...kickoffIds, kickoffId];
}

function proven(approval: Approval, hop: number, now: Millis): Approval {
  switch (approval.status) {
    case 'decided':
    case 'sending':
    case 'failed':
      return approval.attempts.some((attempt) => attempt.hop === hop) ? provenBy(approval, now) : approval;
    case 'pending':
    case 'delivered':
    case 'superseded':
    case 'expired':
      return approval;
  }
}
