// Finds what a person may do with a request. Transitions call `findPermitted` or `findShown` before they change anything; views call
// `standingOf`.

import { type Execution, findRequest, starterOf } from '../state/execution.ts';
import { allVotes, type Discussion, type HumanRequest, type Person, peopleBehind } from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { type PossibleRules, possibleForAny } from './in-force.ts';
import {
  type Denial,
  type Facts,
  isSamePerson,
  mostTelling,
  type Permit,
  permits,
  type Right,
  type Subject,
} from './permits.ts';
import { startersToKnow } from './policy.ts';
import { type ApprovedStage, stageApprovedBy, votesBefore } from './progress.ts';
import type { Refusal } from './refusal.ts';
import { type DecisionRules, findRules, type RequestRules } from './rules.ts';

/** A transition judges people by this: the rules of the crew, and the facts that Slack states about the people concerned. */
export interface Permission extends DecisionRules {
  facts: Facts;
}

/** The text that a person acts on: after a failover or from a backup, the same id may stand for a request about another text. */
export interface OnText {
  /** The hash of the text that Slack showed them; null where nobody can tell. */
  revision: string | null;
}

/** A request that a person may act on, the rule that lets them, and whose right they use. */
export interface Permitted<Each extends HumanRequest = HumanRequest> extends RequestRules<Each> {
  /** The first of the possible rules that let the person decide. */
  allowedBy: PossibleRules;
  /** True if all of the possible rules let them. */
  isSure: boolean;
  facts: Facts;
  rule: string;
  right: Right;
}

/** The id of no request: with it, `findPermitted` refuses as `unknown` if the crew's policy lets the person decide, else with the denial. */
export const ANY_REQUEST = '';

/**
 * Returns the request if one of its possible rules lets this person decide it. Anyone else learns nothing about the request. While
 * the crew isn't configured, nobody may decide.
 */
export function findPermitted(
  execution: Execution,
  approvalId: string,
  { personId, now, ...permission }: Permission & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const { facts, policy } = permission;
  const request = findRequest(execution, approvalId);
  const rules = request && findRules(permission, { execution, request, now });
  const policies = rules?.policies ?? (policy ? possibleForAny(policy) : []);
  if (policies.length === 0)
    return refuse(reasonNotMember(personId, facts) ?? { kind: 'crew-missing', crew: execution.crew });
  const subject = rules?.subject ?? { starterId: starterOf(execution)?.id ?? null, handedOver: [] };
  const needed = peopleToKnow({ request, subject, policies, personId });
  const unknown = needed.filter((id) => facts.accounts[id] === undefined);
  if (unknown.length > 0) return refuse({ kind: 'facts-needed', people: needed });
  const permit = permitsUnder(policies, subject, personId, facts);
  if (permit.kind === 'denied') return refuse(permit);
  return rules ? ok({ ...rules, ...permit.permitted, facts }) : refuse({ kind: 'unknown' });
}

/** Judges whether one of the possible rules lets a person decide a request, and whether each does. */
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

/** Returns the request if the person may decide it and it is still about the text that they were shown. */
export function findShown(
  execution: Execution,
  approvalId: string,
  { revision, ...person }: Permission & OnText & { personId: string; now: Millis },
): Result<Permitted, Refusal> {
  const permitted = findPermitted(execution, approvalId, person);
  return permitted.ok && isOther(permitted.value.request, revision) ? refuse({ kind: 'other-text' }) : permitted;
}

/** Returns true if a request is about another text than the one that was shown; also if nobody can tell which one that was. */
export function isOther({ question: { output } }: HumanRequest, revision: string | null): boolean {
  return output.hash !== revision;
}

/** Returns why a request is none of a person's business, whatever its policy says; null for members and guests of the workspace. */
export function reasonNotMember(personId: string, { accounts }: Facts): Refusal | null {
  const account = accounts[personId];
  if (account === undefined) return { kind: 'facts-needed', people: [personId] };
  if (account === null) return { kind: 'denied', denial: { kind: 'unsure', personId, approver: null } };
  if (account.isBot) return { kind: 'denied', denial: { kind: 'bot' } };
  if (account.isDeactivated) return { kind: 'denied', denial: { kind: 'deactivated' } };
  return account.isStranger ? { kind: 'denied', denial: { kind: 'stranger' } } : null;
}

/**
 * Returns the people whose accounts decide whether this person may act: a vote counts only if its voter may still decide, and a
 * hand-over only while its giver may.
 */
function peopleToKnow({
  request,
  subject,
  policies,
  personId,
}: Pick<RequestRules, 'subject' | 'policies'> & { request: HumanRequest | null; personId: string }): string[] {
  const starters = policies.flatMap((policy) => startersToKnow(policy, subject.starterId));
  const starterIds = starters.flatMap(({ kind, name }) => (kind === 'person' ? [name] : []));
  const voters = request?.state.status === 'pending' ? allVotes(request.discussion) : [];
  const giverIds = subject.handedOver.map(({ by }) => by);
  return [...new Set([personId, ...starterIds, ...peopleBehind(voters), ...giverIds])];
}

/** A person's standing: what they may do about a request, and what they have done about it. */
export interface Standing {
  /** A denial also if the person may decide but has approved an earlier stage. */
  permit: Permit;
  hasVoted: boolean;
  /** The earlier stage that the person has approved; null where that isn't the reason for a denial. */
  approved: ApprovedStage | null;
}

/** Returns the standing by the first rules that let the person decide. Null while the crew isn't configured. */
export function standingOf(rules: RequestRules, facts: Facts, personId: string): Standing | null {
  const { request, policies, subject } = rules;
  if (policies.length === 0) return null;
  const hasVoted = request.discussion.votes.some(({ by }) => by.id === personId);
  const standings = policies.map((policy): Standing => {
    const permit = permits(policy, subject, personId, facts);
    const before =
      permit.kind === 'permitted' &&
      votesBefore(request.discussion, policy).find(({ by }) => isSamePerson(by.id, personId, facts))?.by.id;
    if (!before) return { permit, hasVoted, approved: null };
    const approved = stageApprovedBy(request.discussion, policy, personId);
    return { permit: { kind: 'denied', denial: { kind: 'right-used', by: before } }, hasVoted, approved };
  });
  const isPermitted = ({ permit }: Standing) => permit.kind === 'permitted';
  return standings.find(isPermitted) ?? standings.find(({ approved }) => approved !== null) ?? standings[0] ?? null;
}

/**
 * Returns a denial if Slack can't tell who approved the earlier stages, or whose rights they used: the person who approves now may be
 * one of them, with another account.
 */
export function unsureBefore({ discussion: { stages } }: HumanRequest, { accounts }: Facts): Denial | null {
  const people = stages.flatMap(({ votes }) => peopleBehind(votes));
  const personId = people.find((id) => !accounts[id]);
  return personId === undefined ? null : { kind: 'unsure', personId, approver: null };
}

/** Returns the votes that a new verdict on a request is judged with. */
export function ballotOn({ request, subject }: Pick<RequestRules, 'request' | 'subject'>) {
  const { votes } = request.discussion;
  return {
    subject,
    votes: votes.map(({ by }) => by.id),
    signedIn: votes.flatMap(({ by, signIn }) => (signIn ? [by.id] : [])),
    stages: request.discussion.stages.map((stage) => ({
      key: stage.key,
      used: stage.votes.map(({ by, for: right }) => ({ personId: by.id, holder: (right ?? by).id })),
    })),
  };
}

/** Returns why a person who may decide a request can't hand it over; null if they can. */
export function givingRefusal({ request, policies, right }: Permitted, personId: string): Refusal | null {
  if (policies.every(({ delegation }) => delegation === 'none')) return { kind: 'no-delegation' };
  const { for: giver } = forWhom(request.discussion, { personId, right });
  return giver ? { kind: 'lent-right', giver } : null;
}

/** Returns the giver whose right a vote uses; nothing if the right is the voter's own. */
export function forWhom(
  { handedOver }: Pick<Discussion, 'handedOver'>,
  { personId, right: { holder } }: { personId: string; right: Right },
): { for?: Person } {
  if (holder === personId) return {};
  return { for: handedOver.find(({ by }) => by.id === holder)?.by ?? { id: holder, name: holder } };
}
