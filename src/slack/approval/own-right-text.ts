import { parseApprover } from '../../core/approval/policy/approver.ts';
import type { Permit } from '../../core/approval/policy/permits.ts';
import { HANDED_OVER } from '../../core/approval/policy/permits.ts';
import type { ApproverName } from '../ui/approver-words.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { type DenialDetails, denialText } from './denial-text.ts';

/** Whether the person who asks can do something, by which rule, or why not; mrkdwn. */
export function ownRightText(permit: Permit, details: DenialDetails & { approverName: ApproverName }): string {
  return permit.kind === 'permitted'
    ? `✅ *You can ${details.what}*${why(permit.rule, details.approverName)}.`
    : `🚫 ${denialText(permit.denial, details)}`;
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
