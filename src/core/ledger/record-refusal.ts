import type { Refusal } from '../approval/refusal.ts';
import type { Execution } from '../execution/execution.ts';
import type { Millis } from '../time.ts';
import { recordEvent } from './record-event.ts';

/** What a person wants to do about a request or a run. */
export type Action =
  | 'approve'
  | 'reject'
  | 'send-again'
  | 'undo'
  | 'withdraw'
  | 'hand-over'
  | 'ask-approvers'
  | 'stop-following';

/** The entry of an attempt that was refused. A form that isn't complete, or has to be confirmed, isn't an attempt yet. */
export function recordRefusal(
  execution: Execution,
  refused: { approvalId: string | null; action: Action; by: string; refusal: Refusal; policy: string },
  now: Millis,
): Execution {
  const { approvalId: approval, action, by, refusal, policy } = refused;
  const reason = reasonOf(refusal);
  if (reason === null) return execution;
  return recordEvent(execution, { kind: 'refused', at: now, facts: { approval, action, by, reason, policy } });
}

function reasonOf(refusal: Refusal): string | null {
  switch (refusal.kind) {
    case 'facts-needed':
    case 'feedback-missing':
    case 'too-soon':
      return null;
    case 'denied':
      return refusal.denial.kind;
    case 'unknown':
    case 'already-decided':
    case 'superseded':
    case 'expired':
    case 'notes-not-taken':
    case 'nothing-to-send':
    case 'no-vote':
    case 'cannot-take-over':
    case 'asked-lately':
      return refusal.kind;
  }
}
