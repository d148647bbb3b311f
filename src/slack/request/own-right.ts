// Tells people whether they can start a crew or decide its requests, and by which rule, or why not. *Who can decide?* and
// `/kickoff` use it.
import { HANDED_OVER, type Permit } from '../../core/policy/permits.ts';
import { parseApprover } from '../../core/policy/policy.ts';
import type { Discussion, Person } from '../../core/state/request.ts';
import type { ApproverName } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { type DenialDetails, denialText } from './denial.ts';

interface OwnRight extends DenialDetails {
  approverName: ApproverName;
  /** Left out if the person hasn't approved yet. */
  approved?: 'request' | 'stage' | undefined;
}

/** Says whether the person who asks can do something, by which rule, or why not. Mrkdwn. */
export function ownRightText(permit: Permit, details: OwnRight): string {
  if (permit.kind === 'denied') return `🚫 ${denialText(permit.denial, details)}`;
  const { approved, say } = details;
  if (approved !== undefined) return `☑️ ${say(approved === 'stage' ? 'right.voted-stage' : 'right.voted')}`;
  return `✅ ${permittedText(permit.rule, details)}`;
}

/** Returns the part of an open request that a person has approved: all of it, or its stage. Undefined if they haven't. */
export function ownApprovalOf(
  { votes }: Pick<Discussion, 'votes'>,
  person: Pick<Person, 'id'>,
  { isStaged }: { isStaged: boolean },
): 'request' | 'stage' | undefined {
  if (!votes.some(({ by }) => by.id === person.id)) return undefined;
  return isStaged ? 'stage' : 'request';
}

function permittedText(rule: string, { what, approverName, say }: OwnRight): string {
  // The rules of a crew are listed beside this sentence.
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
