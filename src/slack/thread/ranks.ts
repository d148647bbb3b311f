import { isOpen } from '../../core/approval/approval.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import { differsInRules } from '../../core/messages/card-change.ts';
import { wantedFor } from '../../core/messages/due-messages.ts';
import { type Message, postOf } from '../../core/messages/message.ts';
import { rootChange } from '../../core/messages/root-change.ts';
import type { Rank } from '../api/rate-limiter.ts';

/** Nothing can be posted in a thread before its root, so a root that a card is waiting for ranks as one. */
export function postingRank({ approvals }: Execution, { kind }: Message): Rank {
  switch (kind) {
    case 'card':
    case 'copy':
      return 'card';
    case 'root':
      return approvals.some(isOpen) ? 'card' : 'reply';
    case 'follow-up':
    case 'alert':
    case 'direct-message':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
  }
}

/**
 * Progress gives way to everything else: it is told with the next update anyway. So do other rules, which hundreds of cards may
 * have to state at once, the end of what is stored, which nobody waits for, and the direct messages to those who have done nothing.
 */
export function updatingRank(execution: Execution, message: Message): Rank {
  switch (message.kind) {
    case 'card':
    case 'copy': {
      if (execution.expiry?.isTold) return 'status';
      const post = postOf(execution, message);
      const isRulesOnly = post?.status === 'posted' && differsInRules(post.shown, wantedFor(execution, message));
      return isRulesOnly ? 'status' : 'card';
    }
    case 'direct-message':
      return hasActed(execution, message) ? 'reply' : 'status';
    case 'follow-up':
    case 'alert':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
    case 'root':
      return rootChange(execution) === 'state' ? 'reply' : 'status';
  }
}

/** Whether a person has decided or voted, perhaps in their direct message. */
function hasActed(execution: Execution, { approvalId, to }: Extract<Message, { kind: 'direct-message' }>): boolean {
  const approval = findApproval(execution, approvalId);
  if (!approval) return false;
  const decider = 'decision' in approval ? approval.decision?.by : null;
  return decider?.id === to || approval.votes.some(({ by }) => by.id === to);
}
