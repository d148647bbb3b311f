import type { Approval } from '../approval/approval.ts';
import { openRequest } from '../approval/request.ts';
import { claimedAt } from '../claim.ts';
import type { Execution } from '../execution/execution.ts';
import { findApproval } from '../execution/execution.ts';
import type { Millis } from '../time.ts';
import type { Message } from './message.ts';
import type { Post } from './post.ts';
import { rootChange } from './root-change.ts';

/** The shortest time between two updates of a root. Cards are updated at once. */
const ROOT_PAUSE_MS = 1_000;
/** The shortest time before an update of a root that only tells progress. */
const PROGRESS_PAUSE_MS = 10_000;
/** How long a card waits for the crew's answer to a decision, so that one update tells both. */
const CREW_ANSWER_MS = 400;
/** How long a root that doesn't tell of a card or a decision yet waits for what follows: the card itself is in the channel. */
const NEXT_CHANGE_MS = 2_000;
/** How long it waits for a card to link to. */
const CARD_MS = 3_000;

type Posted = Extract<Post, { status: 'posted' }>;

/** How long a message that was just posted or updated isn't updated again, whatever happens. */
export function pauseMs({ kind }: Message): number {
  return kind === 'root' ? ROOT_PAUSE_MS : 0;
}

/** When a message that is out of date is to be updated: as soon as it may be, unless another change is about to follow. */
export function updateAt(execution: Execution, message: Message, post: Posted): Millis {
  if (post.tries > 0) return post.notBefore;
  return Math.max(post.notBefore + progressDelayMs(execution, message), nextChangeAt(execution, message));
}

/** How much longer a root waits where nothing but the progress has changed. The retry of a failed update waits no longer. */
export function progressDelayMs(execution: Execution, { kind }: Message): number {
  const isFailing = execution.root.status === 'posted' && execution.root.tries > 0;
  return kind === 'root' && !isFailing && rootChange(execution) === 'progress' ? PROGRESS_PAUSE_MS - ROOT_PAUSE_MS : 0;
}

/** Until when the next change is worth waiting for; 0 if none is near. */
function nextChangeAt(execution: Execution, message: Message): Millis {
  switch (message.kind) {
    case 'root': {
      const open = openRequest(execution);
      return open ? nextRootChangeAt(open) : 0;
    }
    case 'card':
    case 'copy':
    case 'direct-message':
      return crewAnswerAt(findApproval(execution, message.approvalId), CREW_ANSWER_MS);
    case 'follow-up':
      return message.approvalId === null
        ? 0
        : crewAnswerAt(findApproval(execution, message.approvalId), CREW_ANSWER_MS);
    case 'alert':
    case 'file':
    case 'task':
    case 'ending':
      return 0;
  }
}

function nextRootChangeAt(open: Approval): Millis {
  if (open.status !== 'pending') return crewAnswerAt(open, NEXT_CHANGE_MS);
  const mostAt = open.askedAt + CARD_MS;
  return open.card.status === 'posted' ? Math.min(mostAt, open.card.notBefore + NEXT_CHANGE_MS) : mostAt;
}

/** A decision that is on its way for the first time is usually answered within this time. */
function crewAnswerAt(approval: Approval | null, withinMs: number): Millis {
  const sentAt = approval && firstSentAt(approval);
  return sentAt === null ? 0 : sentAt + withinMs;
}

/** When a decision went, or was to go, to the crew; null if it doesn't yet, or has gone before. */
function firstSentAt(approval: Approval): Millis | null {
  if (approval.status === 'decided' && approval.tries === 0)
    return approval.undoUntil === null ? approval.decision.at : null;
  if (approval.status === 'sending' && approval.tries === 0) return claimedAt(approval);
  return null;
}
