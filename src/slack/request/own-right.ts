// Tells people whether they can start a crew or decide its requests, and by which rule, or why not.
import { HANDED_OVER, type Permit } from '../../core/policy/evaluate.ts';
import { parseApprover } from '../../core/policy/policy.ts';
import type { ApproverName } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { type DenialDetails, denialText } from './denial.ts';

interface OwnRight extends DenialDetails {
  approverName: ApproverName;
}

/** Whether the person who asks can do something, by which rule, or why not; mrkdwn. */
export function ownRightText(permit: Permit, details: OwnRight): string {
  return permit.kind === 'permitted'
    ? `✅ ${permittedText(permit.rule, details)}`
    : `🚫 ${denialText(permit.denial, details)}`;
}

/** The rules of a crew stand beside what is said of it. */
function permittedText(rule: string, { what, approverName, say }: OwnRight): string {
  if (what !== 'this') return say('right.crew');
  const can = say('right.can');
  if (rule === HANDED_OVER) return say('right.handed-over', { can });
  switch (parseApprover(rule)?.kind) {
    case 'group':
    case 'handle':
      return say('right.group', { can, group: escapedLine(approverName(rule), 80) });
    case 'channel':
      return say('right.channel', { can });
    case 'person':
    case 'email':
    case 'workspace':
    case 'input':
    case undefined:
      return say('right.plain', { can });
  }
}
