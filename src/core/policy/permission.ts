import { type Approval, allVotes, type Person, peopleBehind } from '../state/approval.ts';
import { type Execution, findApproval, starterOf } from '../state/execution.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import {
  type Denial,
  type Facts,
  isSamePerson,
  mostTelling,
  type Permit,
  permits,
  type Right,
  type Subject,
} from './evaluate.ts';
import { type PossibleRules, possibleForAny } from './in-force.ts';
import { startersToKnow } from './policy.ts';
import { type ApprovedStage, stageApprovedBy, votesBefore } from './progress.ts';
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

/** A request that a person may act on: by which of the possible rules and which rule of them, and with whose right. */
export interface Permitted<Each extends Approval = Approval> extends RequestRules<Each> {
  /** The first of the possible rules that let them. */
  allowedBy: PossibleRules;
  /** Whether all of the possible rules let them. */
  isSure: boolean;
  facts: Facts;
  rule: string;
  right: Right;
}

/** The id of no request: a person whom the crew's policy lets decide is refused only as `unknown`. */
export const ANY_REQUEST = '';

/**
 * The request, if one of the rules that may turn out to apply lets this person decide it. Whom they refuse learns nothing about the
 * request. As long as no rules are known, they let nobody.
 */
export function findPermitted(
  execution: Execution,
  approvalId: string,
  { personId, now, ...permission }: Permission & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const { facts, policy } = permission;
  const request = findApproval(execution, approvalId);
  const rules = request && findRules(permission, { execution, request, now });
  const policies = rules?.policies ?? (policy ? possibleForAny(policy) : []);
  if (policies.length === 0)
    return refuse(whyOutside(personId, facts) ?? { kind: 'crew-missing', crew: execution.crew });
  const subject = rules?.subject ?? { starterId: starterOf(execution)?.id ?? null, handedOver: [] };
  const needed = peopleToKnow({ request, subject, policies, personId });
  const unknown = needed.filter((id) => facts.accounts[id] === undefined);
  if (unknown.length > 0) return refuse({ kind: 'facts-needed', people: needed });
  const permit = permitsUnder(policies, subject, personId, facts);
  if (permit.kind === 'denied') return refuse(permit);
  return rules ? ok({ ...rules, ...permit.permitted, facts }) : refuse({ kind: 'unknown' });
}

/** Whether one of the possible rules lets a person decide a request, and whether each does. */
export function permitsUnder(
  policies: readonly PossibleRules[],
  subject: Subject,
  personId: string,
  facts: Facts,
):
  | { kind: 'denied'; denial: Denial }
  | {
      kind: 'permitted';
      permitted: Pick<Permitted, 'allowedBy' | 'isSure' | 'rule' | 'right'> & { named: string | undefined };
    } {
  const denials: Denial[] = [];
  let first: { rules: PossibleRules; permit: Extract<Permit, { kind: 'permitted' }> } | null = null;
  for (const rules of policies) {
    const permit = permits(rules, subject, personId, facts);
    if (permit.kind === 'denied') denials.push(permit.denial);
    else first ??= { rules, permit };
  }
  if (!first) return { kind: 'denied', denial: mostTelling(denials) ?? { kind: 'not-approver' } };
  const { rules, permit } = first;
  const { rule, rights, named } = permit;
  return {
    kind: 'permitted',
    permitted: { allowedBy: rules, isSure: denials.length === 0, rule, right: rights[0], named },
  };
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
  policies,
  personId,
}: Pick<RequestRules, 'subject' | 'policies'> & { request: Approval | null; personId: string }): string[] {
  const starters = policies.flatMap((policy) => startersToKnow(policy, subject.starterId));
  const starterIds = starters.flatMap(({ kind, name }) => (kind === 'person' ? [name] : []));
  const voters = request?.status === 'pending' ? allVotes(request) : [];
  const giverIds = subject.handedOver.map(({ by }) => by);
  return [...new Set([personId, ...starterIds, ...peopleBehind(voters), ...giverIds])];
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
  const { request, policies, subject } = rules;
  if (policies.length === 0) return null;
  const hasVoted = request.votes.some(({ by }) => by.id === personId);
  const standings = policies.map((policy): Standing => {
    const permit = permits(policy, subject, personId, facts);
    const before =
      permit.kind === 'permitted' &&
      votesBefore(request, policy).find(({ by }) => isSamePerson(by.id, personId, facts))?.by.id;
    if (!before) return { permit, hasVoted, approved: null };
    const approved = stageApprovedBy(request, policy, personId);
    return { permit: { kind: 'denied', denial: { kind: 'right-used', by: before } }, hasVoted, approved };
  });
  const isPermitted = ({ permit }: Standing) => permit.kind === 'permitted';
  return standings.find(isPermitted) ?? standings.find(({ approved }) => approved !== null) ?? standings[0] ?? null;
}

/**
 * Why nothing can be approved while Slack can't tell who has approved the stages before, or whose rights they used: the same person
 * may have another account. Null if it can.
 */
export function unsureBefore({ stages }: Approval, { accounts }: Facts): Denial | null {
  const people = stages.flatMap(({ votes }) => peopleBehind(votes));
  const personId = people.find((id) => !accounts[id]);
  return personId === undefined ? null : { kind: 'unsure', personId, approver: null };
}

/** What a verdict on a request is judged by. */
export function ballotOn({ request, subject }: Pick<RequestRules, 'request' | 'subject'>) {
  const { votes } = request;
  return {
    subject,
    votes: votes.map(({ by }) => by.id),
    signedIn: votes.flatMap(({ by, signIn }) => (signIn ? [by.id] : [])),
    stages: request.stages.map((stage) => ({
      key: stage.key,
      used: stage.votes.map(({ by, for: given }) => ({ personId: by.id, holder: (given ?? by).id })),
    })),
  };
}

/** Why a person who may decide a request can't let another decide it, too; null if they can. */
export function givingRefusal({ request, policies, right }: Permitted, personId: string): Refusal | null {
  if (policies.every(({ delegation }) => delegation === 'none')) return { kind: 'no-delegation' };
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
