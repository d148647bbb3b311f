import type { Duty } from '../core/duty.ts';
import { messageKey } from '../core/message.ts';

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
