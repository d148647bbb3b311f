import type { DueAction } from './due-actions.ts';
import { messageKey } from './messages/message.ts';

/** Tells one action of an execution from its others. */
export function dueActionKey(action: DueAction): string {
  switch (action.kind) {
    case 'post':
    case 'update':
      return `${action.kind} ${messageKey(action.message)}`;
    case 'resume':
      return `resume ${action.approvalId}`;
    case 'kickoff':
    case 'starter-notice':
    case 'expire':
    case 'catch-up':
    case 'poll':
    case 'check-adoption':
      return action.kind;
  }
}
