import type { Person } from '../../core/approval/approval.ts';
import type { Approver } from '../../core/approval/policy/approver.ts';
import { approversNow, type Policy } from '../../core/approval/policy/policy.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { type ApproverName, approverWords, capitalised } from '../ui/approver-words.ts';
import { listed } from '../ui/listed.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** The policy of a request as it is now, with the names that it takes to say it. */
export interface Deciders {
  policy: Policy;
  /** Who started the run; null if it was started elsewhere. */
  starter: Person | null;
  approverName: ApproverName;
}

/**
 * Who can decide an open request and how many have, on one line: `Needs 2 of @release-managers · 1 so far: Maria`. Null if
 * any one person of the workspace can.
 */
export function whoDecides(model: CardModel, { policy, starter, approverName }: Deciders, name: NameOf): string | null {
  const approvers = approversNow(policy, { isEscalated: model.escalatedAt !== null });
  const not = starter && !policy.selfApproval ? `not ${nameIn(name, starter)}, who started the run` : '';
  const needed = policy.quorum > 1 ? needs(policy.quorum, approvers, approverName) : can(approvers, approverName, not);
  const parts = [needed, not, policy.quorum > 1 || model.votes.length > 0 ? votes(model, name) : ''].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' · ');
}

function needs(quorum: number, approvers: readonly Approver[], name: ApproverName): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return `Needs ${quorum} people`;
  if (approvers.every(({ kind }) => kind === 'channel')) return `Needs ${quorum} people of this channel`;
  return `Needs ${quorum} of ${approverWords(approvers, name)}`;
}

function can(approvers: readonly Approver[], name: ApproverName, not: string): string {
  const isEveryone = approvers.some(({ kind }) => kind === 'workspace');
  return isEveryone && not === '' ? '' : `${capitalised(approverWords(approvers, name))} can decide`;
}

function votes({ votes }: CardModel, name: NameOf): string {
  if (votes.length === 0) return 'none so far';
  const voters = votes.map(({ by, feedback }) => `${nameIn(name, by)}${feedback?.trim() ? ' (with a note)' : ''}`);
  return `${votes.length} so far: ${listed(voters)}`;
}

/** To whom a request went besides those who could decide it from the start. */
export function passedOn(model: CardModel, { policy, approverName }: Deciders, name: NameOf): string[] {
  const { escalatedAt, handedOver } = model;
  const leads = policy.escalateTo.length === 0 ? '' : ` to ${approverWords(policy.escalateTo, approverName)}`;
  const handed = handedOver.map(({ to, by }) => `to ${nameIn(name, to)} by ${nameIn(name, by)}`);
  return [
    ...(escalatedAt === null ? [] : [`Escalated${leads} · ${slackDate(escalatedAt)}`]),
    ...(handed.length === 0 ? [] : [`Handed over ${listed(handed)}`]),
  ];
}
