import { type Approval, type Person, votesBefore } from '../state/approval.ts';
import { type Execution, findApproval, starterOf } from '../state/execution.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { type Facts, isSamePerson, type Permit, permits, type Right, type Subject } from './evaluate.ts';
import { type Policy, startersToKnow } from './policy.ts';
import { type ApprovedStage, stageApprovedBy } from './progress.ts';
import type { Refusal } from './refusal.ts';
import { type DecisionRules, findRules, type RequestRules } from './rules.ts';

/** What a transition needs to judge people itself: the rules of the crew, and what Slack says about those who are concerned. */
export interface Permission extends DecisionRules {
  facts: Facts;
}

/** What a person acts on: after a failover or from a backup, the same id may stand for a request about another text. */
export interface OnText {
  /** The hash of the text that they were shown; null where that can't be told. */
  revision: string | null;
}

/** A request that a person may act on: by which policy and which rule of it, and with whose right. */
export interface Permitted<Each extends Approval = Approval> extends RequestRules<Each> {
  policy: Policy;
  facts: Facts;
  rule: string;
  right: Right;
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
  const request = findApproval(execution, approvalId);
  const rules = request && findRules(permission, { execution, request, now });
  const policy = rules ? rules.policies[0] : permission.policy;
  if (!policy) return refuse(whyOutside(personId, facts) ?? { kind: 'crew-missing', crew: execution.crew });
  const subject = rules?.subject ?? { ...NO_REQUEST, starterId: starterOf(execution)?.id ?? null };
  const needed = peopleToKnow({ request, subject, policy, personId });
  const unknown = needed.filter((id) => facts.accounts[id] === undefined);
  if (unknown.length > 0) return refuse({ kind: 'facts-needed', people: needed });
  const permit = permits(policy, subject, personId, facts);
  if (permit.kind === 'denied') return refuse({ kind: 'denied', denial: permit.denial });
  const { rule, rights } = permit;
  return rules ? ok({ ...rules, policy, facts, rule, right: rights[0] }) : refuse({ kind: 'unknown' });
}

/** The same, and it asks about the text that the person was shown. */
export function findShown(
  execution: Execution,
  approvalId: string,
  { revision, ...asked }: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const found = findPermitted(execution, approvalId, asked);
  return found.ok && isOther(found.value.request, revision) ? refuse({ kind: 'other-text' }) : found;
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
function peopleToKnow({
  request,
  subject,
  policy,
  personId,
}: Pick<Permitted, 'subject' | 'policy'> & { request: Approval | null; personId: string }): string[] {
  const starters = startersToKnow(policy, subject.starterId).filter(({ kind }) => kind === 'person');
  const voters = request?.status === 'pending' ? [...votesBefore(request, policy), ...request.votes] : [];
  const voterIds = voters.map(({ by }) => by.id);
  const giverIds = subject.handedOver.map(({ by }) => by);
  return [...new Set([personId, ...starters.map(({ name }) => name), ...voterIds, ...giverIds])];
}

/** Whether a person may decide a request by its rules, and what they have done about it. */
export interface Standing {
  /** Denied, too, where they may decide but have approved a stage before the one that is open. */
  permit: Permit;
  hasVoted: boolean;
  /** The stage that they have approved already; null where that isn't why they may not decide. */
  approved: ApprovedStage | null;
}

/** Null while the crew isn't configured. */
export function standingOf(rules: RequestRules, facts: Facts, personId: string): Standing | null {
  const {
    request,
    policies: [policy],
    subject,
  } = rules;
  if (policy === undefined) return null;
  const hasVoted = request.votes.some(({ by }) => by.id === personId);
  const permit = permits(policy, subject, personId, facts);
  const before =
    permit.kind === 'permitted' &&
    votesBefore(request, policy).find(({ by }) => isSamePerson(by.id, personId, facts))?.by.id;
  if (!before) return { permit, hasVoted, approved: null };
  return {
    permit: { kind: 'denied', denial: { kind: 'right-used', by: before } },
    hasVoted,
    approved: stageApprovedBy(request, policy, personId),
  };
}

/** What a verdict on a request is judged by. */
export function ballotOn({ request, subject }: RequestRules, policy: Policy) {
  const { votes } = request;
  return {
    subject,
    votes: votes.map(({ by }) => by.id),
    signedIn: votes.flatMap(({ by, signIn }) => (signIn ? [by.id] : [])),
    before: votesBefore(request, policy).map(({ by, for: given }) => ({ personId: by.id, holder: (given ?? by).id })),
  };
}

/** Why a person who may decide a request can't let another decide it, too; null if they can. */
export function givingRefusal({ request, policy, right }: Permitted, personId: string): Refusal | null {
  if (policy.delegation === 'none') return { kind: 'no-delegation' };
  const { for: giver } = forWhom(request, { personId, right });
  return giver ? { kind: 'lent-right', giver } : null;
}

/** Whose right a vote uses, unless it is its voter's own. */
export function forWhom(
  { handedOver }: Pick<Approval, 'handedOver'>,
  { personId, right: { holder } }: { personId: string; right: Right },
): { for?: Person } {
  if (holder === personId) return {};
  return { for: handedOver.find(({ by }) => by.id === holder)?.by ?? { id: holder, name: holder } };
}
