import type { Execution } from '../execution/execution.ts';
import { withRunStatus } from '../execution/run.ts';
import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';
import { provenBy } from './settle.ts';

/** What every notification carries besides its own news. */
interface Sign {
  hop: number;
  kickoffId: string | null;
  executionId?: string | null;
}

/**
 * Takes from a notification what it proves: ids that we didn't know, and the arrival of the resume that gave the address it
 * came in by. It proves nothing of earlier resumes: with tasks in parallel those may have been lost. The same object where
 * it proves nothing new.
 */
export function recordEvidence(execution: Execution, sign: Sign, now: Millis): Execution {
  const kickoffIds = joined(execution.kickoffIds, sign.kickoffId);
  const executionId = execution.executionId ?? sign.executionId ?? null;
  const approvals = execution.approvals.map((approval) => proven(approval, sign.hop, now));
  const isKnown = kickoffIds === execution.kickoffIds && executionId === execution.executionId;
  if (isKnown && approvals.every((approval, i) => approval === execution.approvals[i])) return execution;
  return withRunStatus({ ...execution, kickoffIds, executionId, approvals });
}

/** The kickoffIds with an id at its end, unless it has it already. */
export function joined(kickoffIds: string[], kickoffId: string | null): string[] {
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
      return approval;
  }
}
