import type { Duty } from './due-actions.ts';
import { messageKey } from './messages/message.ts';

/** Tells one duty of an execution from its others. */
export function dutyKey(duty: Duty): string {
  switch (duty.kind) {
    case 'post':
    case 'update':
      return `${duty.kind} ${messageKey(duty.message)}`;
    case 'resume':
      return `resume ${duty.approvalId}`;
    case 'kickoff':
    case 'notice':
    case 'expire':
    case 'catch-up':
    case 'poll':
    case 'check-hold':
      return duty.kind;
  }
}
