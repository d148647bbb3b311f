// The rules of a policy as a list of statements, which `/kickoff who`, the doctor and `npm run policy` put into words.

import { canonicalJson } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';
import type { Crew } from './crew.ts';
import {
  type Approver,
  type CrewPolicy,
  type DelegationRule,
  everNamed,
  type Policy,
  type StagePolicy,
  stepsOf,
} from './policy.ts';

/** One rule that holds. `number` counts from 1. */
export type PolicyStatement =
  /** A policy without stages: how many people of which approvers have to approve. */
  | ({ kind: 'deciders' } & Deciders)
  | { kind: 'starters'; approvers: readonly Approver[] }
  | { kind: 'stages'; count: number }
  | ({ kind: 'stage'; number: number; name: string } & Deciders)
  /** A rule that holds in this stage alone. */
  | { kind: 'in-stage'; name: string; rule: PolicyStatement }
  /** The heading of the conditions that follow. */
  | { kind: 'conditions' }
  /** Rules that hold in place of others while the condition does. */
  | { kind: 'if'; number: number; condition: string; rules: readonly PolicyStatement[] }
  /** A usual rule that doesn't hold here. */
  | { kind: 'not'; rule: PolicyStatement }
  | { kind: 'step-up' }
  /** The outcomes that approve, among those that a request offers. */
  | { kind: 'outcomes'; approving: readonly string[] }
  /** The starter of the run can decide it; `one-of-them`: only if they are among the approvers anyway. */
  | { kind: 'self-approval'; allowed: 'never' | 'always' | 'one-of-them' }
  /** The people who count as starters of a run that was started elsewhere; empty if nobody does. */
  | { kind: 'elsewhere'; people: readonly Approver[] }
  | { kind: 'guests'; allowed: 'never' | 'named' }
  | { kind: 'delegation'; allowed: DelegationRule }
  | { kind: 'own-token'; crew: string }
  | { kind: 'notes'; taken: 'always' | 'never' }
  | { kind: 'feedback'; taken: 'perhaps' | 'never' }
  /** Signoff notifies the crew of a decline. */
  | { kind: 'last-rejection' }
  | { kind: 'review' | 'undo' | 'reminder'; ms: Millis }
  | { kind: 'escalation'; ms: Millis; approvers: readonly Approver[] }
  | { kind: 'closing'; ms: Millis }
  | { kind: 'rejection'; ms: Millis; feedback: string }
  | { kind: 'hours'; text: string };

export type Deciders = Pick<Policy, 'quorum' | 'approvers' | 'allOf'>;

type CrewSettings = Pick<Crew, 'name' | 'hours' | 'requireUserToken' | 'channel' | 'startedElsewhere'>;

interface Stated<Each extends Policy = Policy> {
  policy: Each;
  crew: CrewSettings;
}

/**
 * Returns who may decide, how many have to, and what happens with time, in the order in which people read it. Conditions don't count.
 * Defaults are left out unless people would expect something else.
 */
export function policyStatements(stated: Stated): PolicyStatement[] {
  return allStatements(stated).filter((rule) => !isExpected(rule, stated.policy));
}

/**
 * Returns true for a rule that people expect without being told. Guests may be members of a channel, so rules for channels say that
 * guests can't decide.
 */
function isExpected(rule: PolicyStatement, policy: Policy): boolean {
  if (rule.kind === 'delegation') return rule.allowed === 'approvers';
  const isAnyChannel = stepsOf(policy).some(({ approvers, allOf }) =>
    [...approvers, ...allOf].some(({ kind }) => kind === 'channel'),
  );
  return rule.kind === 'guests' && !policy.guests && !isAnyChannel;
}

function allStatements({ policy, crew }: Stated): PolicyStatement[] {
  return [
    ...decidersOf(policy),
    selfApproval(policy),
    ...elsewhere(policy, crew),
    guests(policy),
    ...delegation(policy),
    ...(crew.requireUserToken ? [{ kind: 'own-token', crew: crew.name } as const] : []),
    ...(policy.stepUp ? [{ kind: 'step-up' } as const] : []),
    ...(policy.approving === null ? [] : [{ kind: 'outcomes', approving: policy.approving } as const]),
    ...comments(policy),
    ...delays(policy),
    ...timersOf(policy),
    ...hoursOf(policy, crew),
  ];
}

/** Returns what each condition changes; nothing for a policy without conditions. */
export function conditionStatements({ policy, crew }: Stated<Policy & Pick<CrewPolicy, 'when'>>): PolicyStatement[] {
  const { when } = policy;
  if (when.length === 0) return [];
  const conditions = when.map(({ condition, ...conditional }, i): PolicyStatement => {
    const rules = changedStatements({ policy: conditional, usual: policy, crew });
    return { kind: 'if', number: i + 1, condition: condition.text, rules };
  });
  return [{ kind: 'conditions' }, ...conditions];
}

/** Returns the rules of a policy that differ from the usual ones, and the usual ones that don't hold. */
export function changedStatements({ policy, usual, crew }: Stated & { usual: Policy }): PolicyStatement[] {
  const [own, others] = [allStatements({ policy, crew }), allStatements({ policy: usual, crew })];
  const changed = unlike(own, others);
  const rules = changed.filter((rule) => !isExpected(rule, policy) || others.some((other) => isInPlaceOf(rule, other)));
  const without = unlike(others, own).filter((each) => !changed.some((other) => isInPlaceOf(other, each)));
  return [...rules, ...without.map((rule) => ({ kind: 'not', rule }) as const)];
}

/** Returns the statements that aren't among the others. */
export function unlike(statements: readonly PolicyStatement[], others: readonly PolicyStatement[]): PolicyStatement[] {
  const texts = new Set(others.map(canonicalJson));
  return statements.filter((each) => !texts.has(canonicalJson(each)));
}

/** Returns true if both rules are about the same subject. */
function isInPlaceOf(one: PolicyStatement, other: PolicyStatement): boolean {
  return (SUBJECTS[one.kind] ?? one.kind) === (SUBJECTS[other.kind] ?? other.kind);
}

/** The subjects that rules of several kinds share. */
const SUBJECTS: Partial<Record<PolicyStatement['kind'], string>> = {
  stages: 'deciders',
  stage: 'deciders',
  closing: 'expiry',
  rejection: 'expiry',
};

export function starterStatement(starters: readonly Approver[]): PolicyStatement {
  return { kind: 'starters', approvers: starters };
}

function decidersOf(policy: Policy): PolicyStatement[] {
  const { stages, quorum, approvers, allOf } = policy;
  if (stages.length === 0) return [{ kind: 'deciders', quorum, approvers, allOf }];
  const each = stages.map((stage, i): PolicyStatement => {
    const { name, quorum, approvers, allOf } = stage;
    return { kind: 'stage', number: i + 1, name, quorum, approvers, allOf };
  });
  return [{ kind: 'stages', count: stages.length }, ...each];
}

/** Returns true if people beyond the seats of `all_of` can approve as well. */
export function hasOthers({ approvers, allOf }: Pick<Policy, 'approvers' | 'allOf'>): boolean {
  return approvers.some(({ name }) => allOf.every((seat) => seat.name !== name));
}

function isForAll({ approvers }: Pick<Policy, 'approvers'>): boolean {
  return approvers.some(({ kind }) => kind === 'workspace');
}

function selfApproval(policy: Policy): PolicyStatement {
  if (!policy.selfApproval) return { kind: 'self-approval', allowed: 'never' };
  return { kind: 'self-approval', allowed: stepsOf(policy).every(isForAll) ? 'always' : 'one-of-them' };
}

/** States who counts as the starter of a run that was started elsewhere, if the crew has such runs and it matters. */
function elsewhere(
  { selfApproval: isAllowed, startedElsewhere: people }: Policy,
  crew: CrewSettings,
): PolicyStatement[] {
  if (isAllowed || crew.channel === null || crew.startedElsewhere === 'refused') return [];
  return [{ kind: 'elsewhere', people }];
}

function guests(policy: Policy): PolicyStatement {
  const approvers = stepsOf(policy).flatMap(everNamed);
  const canDecide = policy.guests && approvers.some(({ kind }) => kind === 'person');
  return { kind: 'guests', allowed: canDecide ? 'named' : 'never' };
}

/** States who can take over requests, unless the default applies and everybody may decide anyway. */
function delegation(policy: Policy): PolicyStatement[] {
  const { delegation: allowed } = policy;
  const isSaid = allowed !== 'approvers' || !stepsOf(policy).every(isForAll);
  return isSaid ? [{ kind: 'delegation', allowed }] : [];
}

/** Says what differs from the default about notes and feedback. */
function comments({ comment, onDecline }: Policy): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  if (comment.approve !== 'optional')
    statements.push({ kind: 'notes', taken: comment.approve === 'required' ? 'always' : 'never' });
  if (comment.reject !== 'required')
    statements.push({ kind: 'feedback', taken: comment.reject === 'optional' ? 'perhaps' : 'never' });
  if (onDecline === 'reject') statements.push({ kind: 'last-rejection' });
  return statements;
}

function delays({ undoMs, minReviewMs }: Policy): PolicyStatement[] {
  const review: PolicyStatement = { kind: 'review', ms: minReviewMs };
  const undo: PolicyStatement = { kind: 'undo', ms: undoMs };
  return [...(minReviewMs > 0 ? [review] : []), ...(undoMs > 0 ? [undo] : [])];
}

/** Says the timers of each stage apart if they differ. */
function timersOf(policy: Policy): PolicyStatement[] {
  const ofSteps = policy.stages.map((stage) => ({ stage, rules: timers(stage) }));
  const [first, ...others] = ofSteps;
  if (!first) return timers(policy);
  if (others.every(({ rules }) => canonicalJson(rules) === canonicalJson(first.rules))) return first.rules;
  return ofSteps.flatMap(({ stage: { name }, rules }) =>
    rules.map((rule): PolicyStatement => ({ kind: 'in-stage', name, rule })),
  );
}

function timers(policy: StagePolicy | Policy): PolicyStatement[] {
  const { remindAfterMs, escalateAfterMs, escalateTo, expireAfterMs: ms, onExpiry, expiryText: feedback } = policy;
  const statements: PolicyStatement[] = [];
  if (remindAfterMs !== null) statements.push({ kind: 'reminder', ms: remindAfterMs });
  if (escalateAfterMs !== null) statements.push({ kind: 'escalation', ms: escalateAfterMs, approvers: escalateTo });
  if (ms !== null)
    statements.push(onExpiry === 'close' ? { kind: 'closing', ms } : { kind: 'rejection', ms, feedback });
  return statements;
}

function hoursOf(policy: Policy, { hours }: CrewSettings): PolicyStatement[] {
  const all = stepsOf(policy).flatMap((each) => [each.remindAfterMs, each.escalateAfterMs, each.expireAfterMs]);
  if (hours === null || all.every((timer) => timer === null)) return [];
  return [{ kind: 'hours', text: hours.text }];
}
