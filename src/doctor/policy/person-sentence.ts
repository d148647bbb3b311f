import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Facts } from '../../core/approval/policy/facts.ts';
import { type Denial, type Permit, permits } from '../../core/approval/policy/permits.ts';
import type { Policy } from '../../core/approval/policy/policy.ts';
import { durationInWords } from '../../core/duration-in-words.ts';

interface Asked {
  personId: string;
  /** What to call the person. */
  name: string;
  /** Null for a run that was started elsewhere. */
  starterId: string | null;
  facts: Facts;
}

/** What a policy means for one person. */
export function personSentence(policy: Policy, { personId, name, starterId, facts }: Asked): string {
  const judge = (isEscalated: boolean) => permits(policy, { starterId, isEscalated, handedOver: [] }, personId, facts);
  const permit = judge(false);
  if (permit.kind === 'permitted') return `${name} can decide${reasonFor(permit, policy)}.`;
  const { escalateAfterMs } = policy;
  const later = permit.denial.kind === 'not-approver' && escalateAfterMs !== null ? judge(true) : permit;
  if (later.kind === 'denied' || escalateAfterMs === null)
    return `${name} can’t decide: ${whyNot(permit.denial, starterId)}.`;
  const time = durationInWords(escalateAfterMs);
  return `${name} can decide only after ${time} without a decision${reasonFor(later, policy)}.`;
}

function reasonFor({ rule }: Extract<Permit, { kind: 'permitted' }>, policy: Policy): string {
  const approver = [...policy.approvers, ...policy.escalateTo].find(({ name }) => name === rule);
  return approver ? `, ${as(approver)}` : '';
}

function as({ kind, name }: Approver): string {
  switch (kind) {
    case 'person':
      return 'being named in the rules';
    case 'email':
      return `being named as ${name}`;
    case 'group':
    case 'handle':
      return `as one of ${name}`;
    case 'channel':
    case 'workspace':
      return `as a member of the ${kind}`;
  }
}

function whyNot(denial: Denial, starterId: string | null): string {
  switch (denial.kind) {
    case 'stranger':
      return 'they belong to another organisation, and the rules don’t let them';
    case 'guest':
      return 'they are a guest, and the rules don’t let them';
    case 'bot':
      return 'it is a bot';
    case 'deactivated':
      return 'the account is deactivated';
    case 'self-approval':
      return starterId === null
        ? 'they count as the starter of runs that were started elsewhere'
        : 'they started the run';
    case 'not-approver':
      return 'they are none of those who can';
    case 'giver-denied':
      return 'those who handed it over to them can’t either';
    case 'right-used':
      return 'their right to decide has been used';
    case 'no-token':
      return 'they have connected no token of their own';
    case 'unsure':
      if (denial.starter !== undefined)
        return `Slack can’t say who ${denial.starter} is, who counts as the starter of runs started elsewhere`;
      return denial.approver === null
        ? `Slack can’t say who ${denial.personId} is`
        : `Slack can’t say whether they belong to ${denial.approver === 'channel' ? 'the channel' : denial.approver}`;
  }
}
