import { askedIn, type Execution, findApproval, starterOf } from '../execution/execution.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { WorkingHours } from '../working-hours.ts';
import type { Approval, Decision, HandOver, Person, SupersededBy, Vote } from './approval.ts';
import type { Notify } from './crew-rules.ts';
import {
  type Delegation,
  type Denial,
  type Facts,
  isSamePerson,
  permits,
  type Right,
  type Subject,
} from './policy/evaluate.ts';
import { policyFor } from './policy/in-force.ts';
import { type CrewPolicy, type Policy, startersToKnow } from './policy/policy.ts';

/** What a transition needs to ask the policy itself. */
export interface Permission {
  /** Null while the crew isn't configured. */
  policy: CrewPolicy | null;
  facts: Facts;
  /** Of the crew; by default, all time counts, and people are mentioned. */
  hours?: WorkingHours | null;
  notify?: Notify;
}

/** What a person acts on: after a failover or from a backup, the same id may stand for a request about another text. */
export interface OnText {
  /** The hash of the text that they were shown; null where that can't be told. */
  revision: string | null;
}

/** A request that a person may act on, the policy of its task, the rule that lets them, whose right they use, and as whom. */
export interface Permitted {
  approval: Approval;
  policy: Policy;
  rule: string;
  right: Right;
  named?: string | undefined;
}

/** A hand-over for an absence counts only until that is over. */
export function subjectOf(execution: Execution, { times, handedOver }: Approval, now: Millis): Subject {
  return {
    starterId: starterOf(execution)?.id ?? null,
    isEscalated: times.escalatedAt !== null,
    handedOver: delegationsOf({ handedOver }, now),
  };
}

/** Who has let whom decide a request, as far as that still counts. */
export function delegationsOf({ handedOver }: { handedOver: readonly HandOver[] }, now: Millis): Delegation[] {
  const counting = handedOver.filter(({ until }) => until === null || now < until);
  return counting.map(({ by, to }) => ({ by: by.id, to: to.id }));
}

/** The id of no request: a person whom the crew's policy lets decide is refused only as `unknown`. */
export const ANY_REQUEST = '';

/**
 * The request, if the policy in force lets this person decide it. Whom it refuses learns nothing about the request. As long as
 * the policy isn't known, it lets nobody.
 */
export function findPermitted(
  execution: Execution,
  approvalId: string,
  { personId, now, ...permission }: Permission & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const { facts } = permission;
  const approval = findApproval(execution, approvalId);
  const policy = approval ? policyFor(permission.policy, askedIn(execution, approval)) : permission.policy;
  if (policy === null) return refuse(whyOutside(personId, facts) ?? { kind: 'crew-missing', crew: execution.crew });
  const needed = peopleToKnow(execution, { approval, policy, personId, now });
  const unknown = needed.filter((id) => facts.accounts[id] === undefined);
  if (unknown.length > 0) return refuse({ kind: 'facts-needed', people: needed });
  const subject = approval
    ? subjectOf(execution, approval, now)
    : { ...NO_REQUEST, starterId: starterOf(execution)?.id ?? null };
  const permit = permits(policy, subject, personId, facts);
  if (permit.kind === 'denied') return refuse({ kind: 'denied', denial: permit.denial });
  const { rule, rights, named } = permit;
  return approval ? ok({ approval, policy, rule, right: rights[0], named }) : refuse({ kind: 'unknown' });
}

/** The same, and it asks about the text that the person was shown. */
export function findShown(
  execution: Execution,
  approvalId: string,
  { revision, ...asked }: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const found = findPermitted(execution, approvalId, asked);
  return found.ok && isOther(found.value.approval, revision) ? refuse({ kind: 'other-text' }) : found;
}

/** Whether a request asks about another text than the one that was shown. */
export function isOther({ output }: Approval, revision: string | null): boolean {
  return output.hash !== revision;
}

const NO_REQUEST: Subject = { starterId: null, isEscalated: false, handedOver: [] };

/** Why a request is none of a person's business, whatever its policy says; null for members and guests of the workspace. */
export function whyOutside(personId: string, { accounts }: Facts): Refusal | null {
  const account = accounts[personId];
  if (account === undefined) return { kind: 'facts-needed', people: [personId] };
  if (account === null) return { kind: 'denied', denial: { kind: 'unsure', personId, approver: null } };
  if (account.isBot) return { kind: 'denied', denial: { kind: 'bot' } };
  if (account.isDeactivated) return { kind: 'denied', denial: { kind: 'deactivated' } };
  return account.isStranger ? { kind: 'denied', denial: { kind: 'stranger' } } : null;
}

/**
 * The people whose accounts decide whether this person may act: a vote counts only if its voter may still decide, and what was
 * handed over only while those who did so may.
 */
function peopleToKnow(
  execution: Execution,
  { approval, policy, personId, now }: { approval: Approval | null; policy: Policy; personId: string; now: Millis },
): string[] {
  const starters = startersToKnow(policy, starterOf(execution)?.id ?? null).filter(({ kind }) => kind === 'person');
  const voters = approval?.status === 'pending' ? [...votesBefore(approval, policy), ...approval.votes] : [];
  const voterIds = voters.map(({ by }) => by.id);
  const giverIds = approval ? delegationsOf(approval, now).map(({ by }) => by) : [];
  return [...new Set([personId, ...starters.map(({ name }) => name), ...voterIds, ...giverIds])];
}

/** Those who have approved the stages before the one that is open. */
export function votesBefore({ stages }: Pick<Approval, 'stages'>, { stage }: Pick<Policy, 'stage'>): Vote[] {
  return stages.slice(0, stage).flatMap(({ votes }) => votes);
}

/** Why a person can't approve a stage whose rules let them: they have approved one before. Null if they haven't. */
export function whyApprovedBefore(
  approval: Pick<Approval, 'stages'>,
  policy: Pick<Policy, 'stage'>,
  { personId, facts }: { personId: string; facts: Facts },
): Denial | null {
  const before = votesBefore(approval, policy).find(({ by }) => isSamePerson(by.id, personId, facts));
  return before ? { kind: 'right-used', by: before.by.id } : null;
}

/** What a verdict on a request is judged by. */
export function ballotOn(execution: Execution, approval: Approval, policy: Policy, now: Millis) {
  return {
    subject: subjectOf(execution, approval, now),
    votes: approval.votes.map(({ by }) => by.id),
    signedIn: approval.votes.flatMap(({ by, signIn }) => (signIn ? [by.id] : [])),
    before: votesBefore(approval, policy).map(({ by, for: given }) => ({ personId: by.id, holder: (given ?? by).id })),
  };
}

/** Whose right a vote uses, unless it is its voter's own. */
export function forWhom(
  { handedOver }: Pick<Approval, 'handedOver'>,
  { personId, right: { holder } }: { personId: string; right: Right },
): { for?: Person } {
  if (holder === personId) return {};
  return { for: handedOver.find(({ by }) => by.id === holder)?.by ?? { id: holder, name: holder } };
}

/** Why a person's action changes nothing, with the facts that they need. */
export type Refusal =
  | { kind: 'unknown' }
  | { kind: 'denied'; denial: Denial }
  /** Not a refusal yet: what Slack says about these people has to be found out first. */
  | { kind: 'facts-needed'; people: string[] }
  /** Who may decide isn't known, as the crew isn't configured. */
  | { kind: 'crew-missing'; crew: string }
  /** The person was shown another text than the one that is asked about, or one that can't be told. */
  | { kind: 'other-text' }
  | { kind: 'already-decided'; decision: Decision }
  | { kind: 'superseded'; by: SupersededBy }
  | { kind: 'expired' }
  /** Approving this soon has to be confirmed. */
  | { kind: 'too-soon'; afterMs: Millis }
  /** Approving takes a sign-in with the company's identity provider. */
  | { kind: 'sign-in-needed' }
  | { kind: 'feedback-missing' }
  /** A final no takes a reason. */
  | { kind: 'reason-missing' }
  /** Rejections take no text. */
  | { kind: 'feedback-not-taken' }
  /** An approval takes a note. */
  | { kind: 'note-missing' }
  | { kind: 'notes-not-taken' }
  /** The request offers outcomes, of which this is none, or which the policy takes for another verdict by now. */
  | { kind: 'outcome-needed' }
  /** Others have approved by choosing this outcome, which is the only one that adds to theirs. */
  | { kind: 'other-outcome'; outcome: string }
  | { kind: 'nothing-to-send' }
  /** `stage`: they have approved one that is complete. */
  | { kind: 'no-vote'; stage?: string }
  /** There is nothing to undo. */
  | { kind: 'no-decision' }
  /** The person to whom it should be handed over may not decide, even if others let them. */
  | { kind: 'cannot-take-over'; to: Person; denial: Denial }
  /** The policy lets nobody hand anything over. */
  | { kind: 'no-delegation' }
  | { kind: 'asked-lately'; at: Millis };

/** Why this request can no longer be decided; null while it can. */
export function whyClosed(approval: Approval): Refusal | null {
  switch (approval.status) {
    case 'pending':
      return null;
    case 'decided':
    case 'sending':
    case 'delivered':
    case 'failed':
    case 'declined':
      return { kind: 'already-decided', decision: approval.decision };
    case 'superseded':
      return approval.decision
        ? { kind: 'already-decided', decision: approval.decision }
        : { kind: 'superseded', by: approval.by };
    case 'expired':
      return { kind: 'expired' };
  }
}
