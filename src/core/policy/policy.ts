import type { Millis } from '../values/time.ts';
import type { Condition, InputKinds } from './condition.ts';

/**
 * People whom a policy names, as the crews file writes them: a person by id (`U0123ABC`) or e-mail address, a user group by
 * id (`S0456DEF`) or handle (`@leads`), the members of the channel that the card is in, those of the workspace, or the person
 * whom an input of the run names (`input:owner_email`).
 */
export interface Approver {
  kind: 'person' | 'email' | 'group' | 'handle' | 'channel' | 'workspace' | 'input';
  name: string;
  /** The input that has named this person or address. */
  input?: string;
}

export const WORKSPACE: Approver = { kind: 'workspace', name: 'workspace' };

/** https://docs.slack.dev/reference/objects/user-object and /usergroup-object */
const SHAPES: readonly (readonly [RegExp, Approver['kind']])[] = [
  [/^input:.+$/, 'input'],
  [/^channel$/, 'channel'],
  [/^workspace$/, 'workspace'],
  [/^[UW][A-Z0-9]{2,}$/, 'person'],
  [/^S[A-Z0-9]{2,}$/, 'group'],
  [/^@[^\s@<>!]{1,80}$/, 'handle'],
  [/^[^\s@<>,]+@[^\s@<>,]+\.[^\s@<>,]+$/, 'email'],
];

/** Null if it is none of the shapes. */
export function parseApprover(name: string): Approver | null {
  const shape = SHAPES.find(([pattern]) => pattern.test(name));
  return shape ? { kind: shape[1], name } : null;
}

/** Whether Slack has to be asked whom it stands for. An input that isn't known stands for nobody. */
export function mustBeLookedUp({ kind }: Approver): boolean {
  return kind !== 'person' && kind !== 'workspace' && kind !== 'input';
}

/**
 * To whom those who may decide can hand a request over, by adding an approver or for an absence: to nobody; only to people whom
 * `approvers` or `escalate_to` stand for, before the escalation, too; or to any member of the workspace.
 */
export const DELEGATION = ['none', 'approvers', 'anyone'] as const;

export type DelegationRule = (typeof DELEGATION)[number];

/** Who may decide a request, how many have to, and what happens with time. */
export interface Policy {
  /** A person who matches one of them may decide. */
  approvers: readonly Approver[];
  /** How many different people of `approvers` have to approve. One rejection decides at once. */
  quorum: number;
  /** Of each of these, another person has to approve; they may decide like `approvers`. */
  allOf: readonly Approver[];
  /** Whether the person who started the run may decide it. */
  selfApproval: boolean;
  /** Who counts as having started a run that was started elsewhere; empty if nobody has said. */
  startedElsewhere: readonly Approver[];
  /** Whether guests and people of other organisations may decide where they are named by their id. */
  guests: boolean;
  delegation: DelegationRule;
  /** How long a complete decision waits, with an Undo button, before it is sent. */
  undoMs: Millis;
  /** Approving sooner than this has to be confirmed. */
  minReviewMs: Millis;
  remindAfterMs: Millis | null;
  escalateAfterMs: Millis | null;
  /** Who may decide, too, once the request has been escalated. */
  escalateTo: readonly Approver[];
  expireAfterMs: Millis | null;
  /** What happens to a request that nobody decided in time. */
  onExpiry: 'close' | 'reject';
  /** The feedback of the rejection that is sent then. */
  expiryText: string;
  /** What approving does, in the operator's words; null where they don't say. */
  approveMeans: string | null;
  /** For feedback. */
  templates: readonly FeedbackTemplate[];
  /** Whether people say something with their verdict. */
  comment: Readonly<Record<'approve' | 'reject', Comment>>;
  /** What the crew is told of a decline: nothing, or a last rejection that says so. */
  onDecline: 'close' | 'reject';
  /** Whether approving takes a sign-in with the company's identity provider. */
  stepUp: boolean;
  /** Where a request offers outcomes, those that approve, with `*` for any text; the others reject. Null if all approve. */
  approving: readonly string[] | null;
  /** What has to be approved one after the other, each with rules of its own in place of these; none where these are all. */
  stages: readonly StagePolicy[];
  /** Which of the stages it is whose rules these are, from 0. */
  stage: number;
}

/** The rules of one stage. */
export interface StagePolicy extends Omit<Policy, 'stages' | 'stage'> {
  name: string;
}

export const COMMENT = ['optional', 'required', 'none'] as const;

export type Comment = (typeof COMMENT)[number];

export interface FeedbackTemplate {
  name: string;
  text: string;
}

/** A policy with those that replace it where their conditions hold. */
interface ConditionedPolicy extends Policy {
  /** The first whose condition holds applies. */
  when: readonly ConditionalPolicy[];
}

export interface ConditionalPolicy extends Policy {
  condition: Condition;
}

/** The policy of a crew: the usual one, and those of some of its tasks. */
export interface CrewPolicy extends ConditionedPolicy {
  /** The first applies that is for a task. */
  tasks: readonly (ConditionedPolicy & TaskPattern)[];
  /** The inputs that conditions and approvers name. */
  inputs: InputKinds;
  /** In which the hour of a condition is. */
  timeZone: string;
  /** Whether the title of what a program or a workflow asks counts as the name of a task. */
  matchTitles: boolean;
}

/** Which tasks rules are for: a pattern in any case, with `*` for any text, for their names and ids, or for their ids alone. */
export interface TaskPattern {
  match: string;
  looksAt: 'name' | 'id';
}

/** The pattern of an entry, which has either of them. */
export function patternOf({ match, id }: { match?: string | undefined; id?: string | undefined }): TaskPattern {
  return match === undefined ? { match: id ?? '', looksAt: 'id' } : { match, looksAt: 'name' };
}

export const DEFAULT_POLICY: CrewPolicy = {
  approvers: [WORKSPACE],
  quorum: 1,
  allOf: [],
  selfApproval: true,
  startedElsewhere: [],
  guests: false,
  delegation: 'approvers',
  undoMs: 0,
  minReviewMs: 0,
  remindAfterMs: null,
  escalateAfterMs: null,
  escalateTo: [],
  expireAfterMs: null,
  onExpiry: 'close',
  expiryText: 'Nobody decided in time.',
  approveMeans: null,
  templates: [],
  comment: { approve: 'optional', reject: 'required' },
  onDecline: 'close',
  stepUp: false,
  approving: null,
  stages: [],
  stage: 0,
  when: [],
  tasks: [],
  inputs: {},
  timeZone: 'UTC',
  matchTitles: false,
};

/**
 * What the ledger names where the policy isn't known, since the crew isn't configured: nobody may decide. No request is ever
 * judged by it.
 */
export const NOBODY: CrewPolicy = { ...DEFAULT_POLICY, approvers: [] };

type Named = Pick<Policy, 'approvers' | 'allOf' | 'escalateTo'>;

/** Rules as they stand at one time: whether a request was escalated by them. */
export interface Escalated {
  isEscalated: boolean;
}

/** Those whom a policy names; after an escalation, also those whom it names for that. First come those who count for the quorum. */
export function approversNow(policy: Named & Escalated): readonly Approver[] {
  return [...quorumNow(policy), ...policy.allOf];
}

/** Those whom any of several rules name now, each once. */
export function approversUnder(policies: readonly (Named & Escalated)[]): readonly Approver[] {
  const all = policies.flatMap(approversNow);
  return [...new Map(all.map((approver) => [approver.name, approver])).values()];
}

/** Those of whom a quorum is needed. */
export function quorumNow({
  approvers,
  escalateTo,
  isEscalated,
}: Pick<Policy, 'approvers' | 'escalateTo'> & Escalated): readonly Approver[] {
  return isEscalated ? [...approvers, ...escalateTo] : approvers;
}

/** How many people have to approve, at least. */
export function approvalsNeeded({ quorum, allOf }: Pick<Policy, 'quorum' | 'allOf'>): number {
  return Math.max(quorum, allOf.length);
}

/** Those whom a policy names to decide, at once or after an escalation. */
export function everNamed(policy: Named): readonly Approver[] {
  return approversNow({ ...policy, isEscalated: true });
}

/** About whom Slack has to be asked to judge people: those who may decide now, and those to whom it may have been handed over. */
export function askedAbout(
  policy: Named & Escalated,
  { handedOver }: { handedOver: readonly unknown[] },
): readonly Approver[] {
  return handedOver.length > 0 ? everNamed(policy) : approversNow(policy);
}

/** The hand-overs that can count by at least one of these rules; each ends with the right of its giver. */
export function handOversUnder<HandOver>(
  policies: readonly Pick<Policy, 'delegation'>[],
  handedOver: readonly HandOver[],
): readonly HandOver[] {
  return policies.some(({ delegation }) => delegation !== 'none') ? handedOver : [];
}

/** All whom a policy names, for or against. */
export function namedIn(policy: Policy): readonly Approver[] {
  return [...everNamed(policy), ...policy.startedElsewhere];
}

/** The same of all stages. */
export function namedInStages(policy: Policy): readonly Approver[] {
  return [...namedIn(policy), ...policy.stages.flatMap(everNamed)];
}

/** Those who may not decide a run since they started it, or count as its starters. `starterId` is null if it was started elsewhere. */
export function barredStarters(
  { selfApproval, startedElsewhere }: Pick<Policy, 'selfApproval' | 'startedElsewhere'>,
  starterId: string | null,
): readonly Approver[] {
  if (selfApproval) return [];
  return starterId === null ? startedElsewhere : [{ kind: 'person', name: starterId }];
}

/**
 * Of whom it takes to know whether they are a person who decides: those who may not decide, and who started a run whose inputs name
 * people, since they can't name themselves.
 */
export function startersToKnow(policy: Policy, starterId: string | null): readonly Approver[] {
  const isByInput = everNamed(policy).some(({ input }) => input !== undefined);
  if (starterId === null || !isByInput) return barredStarters(policy, starterId);
  return [{ kind: 'person', name: starterId }];
}

/** What has to be approved one after the other: rules without stages are one. */
export function stepsOf(policy: Policy): readonly StagePolicy[] {
  const { stages, stage: _, ...rules } = policy;
  return stages.length > 0 ? stages : [{ ...rules, name: nameOf(rules) }];
}

function nameOf(rules: Pick<Policy, 'approvers' | 'allOf' | 'escalateTo'>): string {
  const names = approversNow({ ...rules, isEscalated: false }).map(({ name }) => name);
  return [...new Set(names)].join(', ');
}
