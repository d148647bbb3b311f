import type { Refusal } from '../approval/refusal.ts';
import type { Execution } from '../execution/execution.ts';
import { fingerprint } from '../messages/fingerprint.ts';
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
  /** Only to read what is asked, with the choices beside it. */
  | 'review'
  | 'ask-approvers'
  | 'stop-following'
  | 'track-again';

interface RefusedAction {
  approvalId: string | null;
  action: Action;
  /** The id of the person. */
  by: string;
  refusal: Refusal;
  policy: string;
  /** The same when Slack delivers the request again; empty if that isn't known. */
  requestId: string;
}

/** How many refused requests a record remembers. */
const MOST_REMEMBERED = 8;

/** The entry of an attempt that was refused. A form that isn't complete, or has to be confirmed, isn't an attempt yet. */
export function recordRefusal(execution: Execution, refused: RefusedAction, now: Millis): Execution {
  const { approvalId: approval, action, by, refusal, policy, requestId } = refused;
  const reason = reasonOf(refusal);
  const mark = fingerprint([requestId, action]);
  if (reason === null || (requestId !== '' && execution.refusedRequests.includes(mark))) return execution;
  const refusedRequests =
    requestId === '' ? execution.refusedRequests : [mark, ...execution.refusedRequests].slice(0, MOST_REMEMBERED);
  return recordEvent(
    { ...execution, refusedRequests },
    { kind: 'refused', at: now, facts: { approval, action, by, reason, policy } },
  );
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
    case 'crew-missing':
    case 'other-text':
    case 'already-decided':
    case 'superseded':
    case 'expired':
    case 'notes-not-taken':
    case 'nothing-to-send':
    case 'no-vote':
    case 'no-decision':
    case 'cannot-take-over':
    case 'asked-lately':
      return refusal.kind;
  }
}
