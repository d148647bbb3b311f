// Tells people whether they can start a crew or decide its requests, and by which rule, or why not.
import { HANDED_OVER, type Permit } from '../../core/policy/evaluate.ts';
import { parseApprover } from '../../core/policy/policy.ts';
import type { ApproverName } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { type DenialDetails, denialText } from './denial.ts';

interface OwnRight extends Omit<DenialDetails, 'what'> {
  /** `others`: a crew's requests except those of runs that the person started. */
  what: DenialDetails['what'] | 'others';
  approverName: ApproverName;
}

/** Whether the person who asks can do something, by which rule, or why not; mrkdwn. */
export function ownRightText(permit: Permit, details: OwnRight): string {
  const { what } = details;
  return permit.kind === 'permitted'
    ? `✅ ${permittedText(permit.rule, details)}`
    : `🚫 ${denialText(permit.denial, { ...details, what: what === 'others' ? 'requests' : what })}`;
}

function permittedText(rule: string, { what, crew, approverName, say }: OwnRight): string {
  const can = say('right.can', { what, crew: crew ?? '' });
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
