import { isOpen } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
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
    case 'alert':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
  }
}

/** Progress gives way to everything else: it is told with the next update anyway. */
export function updatingRank(execution: Execution, { kind }: Message): Rank {
  switch (kind) {
    case 'card':
    case 'copy':
      return 'card';
    case 'alert':
    case 'task':
    case 'ending':
    case 'file':
      return 'reply';
    case 'root':
      return rootChange(execution) === 'state' ? 'reply' : 'status';
  }
}
