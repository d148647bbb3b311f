import { parseApprover } from '../../core/approval/policy/approver.ts';
import { HANDED_OVER } from '../../core/approval/policy/permits.ts';
import type { ApproverName } from '../ui/approver-words.ts';
import { escapedLine } from '../ui/text/escape.ts';

/** That a person can decide a request, and by which rule; mrkdwn. */
export function permitText(rule: string, approverName: ApproverName): string {
  return `✅ *You can decide this*${why(rule, approverName)}.`;
}

function why(rule: string, approverName: ApproverName): string {
  if (rule === HANDED_OVER) return ', since it was handed over to you';
  switch (parseApprover(rule)?.kind) {
    case 'group':
    case 'handle':
      return `, since you are in ${escapedLine(approverName(rule), 80)}`;
    case 'channel':
      return ', since you are a member of this channel';
    case 'person':
    case 'email':
    case 'workspace':
    case undefined:
      return '';
  }
}
