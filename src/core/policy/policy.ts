// A crew's policy: who may decide its requests, how many have to, and what happens with time. The crews file is read into these types.

import type { Millis } from '../values/time.ts';
import type { Condition, InputKinds } from './condition.ts';

/**
 * People whom a policy names, as the crews file writes them: a person by id (`U0123ABC`) or e-mail address, a user group by
 * id (`S0456DEF`) or handle (`@leads`), the members of the card's channel, the members of the workspace, or the person
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

/** Reads an approver as the crews file names it; null if the name has none of the shapes. */
export function parseApprover(name: string): Approver | null {
  const shape = SHAPES.find(([pattern]) => pattern.test(name));
  return shape ? { kind: shape[1], name } : null;
}

/** Returns true if only Slack knows for whom an approver stands. An input without a value stands for nobody. */
export function mustBeLookedUp({ kind }: Approver): boolean {
  return kind !== 'person' && kind !== 'workspace' && kind !== 'input';
}

/**
 * The people to whom an approver can hand a request over, by adding an approver or for an absence. `none`: nobody. `approvers`: people
 * for whom `approvers`, `all_of` or `escalate_to` stand, also before the escalation. `anyone`: every member of the workspace.
 */
export const DELEGATION = ['none', 'approvers', 'anyone'] as const;

export type DelegationRule = (typeof DELEGATION)[number];

/** A policy says who may decide a request, how many people have to, and what happens as time passes. */
export interface Policy {
  /** A person for whom one of these stands may decide. */
  approvers: readonly Approver[];
  /** Number of different people of `approvers` who have to approve. One rejection decides at once. */
  quorum: number;
  /** A different person has to approve for each of these. They may decide like `approvers`. */
  allOf: readonly Approver[];
  /** The person who started the run may decide its requests. */
  selfApproval: boolean;
  /** The people who count as starters of a run that was started elsewhere; empty if the operator names nobody. */
  startedElsewhere: readonly Approver[];
  /** Guests and people of other organisations may decide where a rule has their id. */
  guests: boolean;
  delegation: DelegationRule;
  /** Time that a complete decision waits, with an Undo button, before it is sent. */
  undoMs: Millis;
  /** An approval sooner than this has to be confirmed. */
  minReviewMs: Millis;
  remindAfterMs: Millis | null;
  escalateAfterMs: Millis | null;
  /** People who may decide as well once the request has been escalated. */
  escalateTo: readonly Approver[];
  expireAfterMs: Millis | null;
  /** `reject`: the crew receives a rejection with `expiryText` if nobody decides in time. */
  onExpiry: 'close' | 'reject';
  expiryText: string;
  /** The effect of approving in the operator's words; null if they don't say. */
  approveMeans: string | null;
  templates: readonly FeedbackTemplate[];
  comment: Readonly<Record<'approve' | 'reject', Comment>>;
  /** `reject`: the crew receives a last rejection, which says that people declined. `close`: it receives nothing. */
  onDecline: 'close' | 'reject';
  /** Approving takes a sign-in with the company's identity provider. */
  stepUp: boolean;
  /** Patterns of the outcomes that approve, with `*` for any text; the others reject. Null if all approve. */
  approving: readonly string[] | null;
  /** Stages that have to be approved one after the other, each with rules in place of these. */
  stages: readonly StagePolicy[];
  /** Index of the stage whose rules these are. */
  stage: number;
}

export interface StagePolicy extends Omit<Policy, 'stages' | 'stage'> {
  name: string;
}

export const COMMENT = ['optional', 'required', 'none'] as const;

export type Comment = (typeof COMMENT)[number];

export interface FeedbackTemplate {
  name: string;
  text: string;
}

/** A policy with rules that replace it while their condition holds. */
interface ConditionedPolicy extends Policy {
  /** The first whose condition holds applies. */
  when: readonly ConditionalPolicy[];
}

export interface ConditionalPolicy extends Policy {
  condition: Condition;
}

/** The usual policy of a crew, and the policies of some of its tasks. */
export interface CrewPolicy extends ConditionedPolicy {
  /** The first entry that matches a task applies to it. */
  tasks: readonly (ConditionedPolicy & TaskPattern)[];
  /** The inputs that conditions and approvers name. */
  inputs: InputKinds;
  /** The zone of the hour that conditions see. */
  timeZone: string;
  /** The title of a request by a program or a workflow counts as the name of a task. */
  matchTitles: boolean;
}

/** The tasks that rules are for: a pattern for names and ids, or for ids alone. Case doesn't count, and `*` stands for any text. */
export interface TaskPattern {
  match: string;
  looksAt: 'name' | 'id';
}

/** Returns the pattern of an entry of `tasks`, which has one of the two. */
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

/** The policy that the ledger names while a crew isn't configured: nobody may decide. No request is ever judged by it. */
export const NOBODY: CrewPolicy = { ...DEFAULT_POLICY, approvers: [] };

type Named = Pick<Policy, 'approvers' | 'allOf' | 'escalateTo'>;

export interface Escalated {
  isEscalated: boolean;
}

/** Returns the approvers of a policy, after an escalation also those of `escalateTo`. Approvers that count for the quorum come first. */
export function approversNow(policy: Named & Escalated): readonly Approver[] {
  return [...quorumNow(policy), ...policy.allOf];
}

/** Returns the approvers of several rules, each once. */
export function approversUnder(policies: readonly (Named & Escalated)[]): readonly Approver[] {
  const all = policies.flatMap(approversNow);
  return [...new Map(all.map((approver) => [approver.name, approver])).values()];
}

/** Returns the approvers that count for the quorum. */
export function quorumNow({
  approvers,
  escalateTo,
  isEscalated,
}: Pick<Policy, 'approvers' | 'escalateTo'> & Escalated): readonly Approver[] {
  return isEscalated ? [...approvers, ...escalateTo] : approvers;
}

/** Returns how many people have to approve, at least. */
export function approvalsNeeded({ quorum, allOf }: Pick<Policy, 'quorum' | 'allOf'>): number {
  return Math.max(quorum, allOf.length);
}

/** Returns the approvers of a policy, at once or after an escalation. */
export function everNamed(policy: Named): readonly Approver[] {
  return approversNow({ ...policy, isEscalated: true });
}

/** Returns the approvers that Slack has to look up to judge people. A hand-over may be limited to approvers of a later escalation. */
export function askedAbout(
  policy: Named & Escalated,
  { handedOver }: { handedOver: readonly unknown[] },
): readonly Approver[] {
  return handedOver.length > 0 ? everNamed(policy) : approversNow(policy);
}

/** Returns the hand-overs, unless none of these rules allows any. */
export function handOversUnder<HandOver>(
  policies: readonly Pick<Policy, 'delegation'>[],
  handedOver: readonly HandOver[],
): readonly HandOver[] {
  return policies.some(({ delegation }) => delegation !== 'none') ? handedOver : [];
}

/** Returns everyone whom a policy names, as approver or as starter. */
export function namedIn(policy: Policy): readonly Approver[] {
  return [...everNamed(policy), ...policy.startedElsewhere];
}

/** Returns everyone whom a policy and its stages name. */
export function namedInStages(policy: Policy): readonly Approver[] {
  return [...namedIn(policy), ...policy.stages.flatMap(everNamed)];
}

/** Returns the people who may not decide for a run because they count as its starters. `starterId`: null if it was started elsewhere. */
export function barredStarters(
  { selfApproval, startedElsewhere }: Pick<Policy, 'selfApproval' | 'startedElsewhere'>,
  starterId: string | null,
): readonly Approver[] {
  if (selfApproval) return [];
  return starterId === null ? startedElsewhere : [{ kind: 'person', name: starterId }];
}

/**
 * Returns the people whose accounts we must look up before we can judge anyone: barred starters, and the starter of a run whose inputs
 * name approvers, since starters can't name themselves.
 */
export function startersToKnow(policy: Policy, starterId: string | null): readonly Approver[] {
  const isByInput = everNamed(policy).some(({ input }) => input !== undefined);
  if (starterId === null || !isByInput) return barredStarters(policy, starterId);
  return [{ kind: 'person', name: starterId }];
}

/** Returns the stages of a policy. Rules without stages are one step. */
export function stepsOf(policy: Policy): readonly StagePolicy[] {
  const { stages, stage: _, ...rules } = policy;
  return stages.length > 0 ? stages : [{ ...rules, name: nameOf(rules) }];
}

function nameOf(rules: Pick<Policy, 'approvers' | 'allOf' | 'escalateTo'>): string {
  const names = approversNow({ ...rules, isEscalated: false }).map(({ name }) => name);
  return [...new Set(names)].join(', ');
}

/** Settings that have one value for a request, although several rules may apply. */
type Settings = Pick<
  Policy,
  'undoMs' | 'minReviewMs' | 'comment' | 'approveMeans' | 'templates' | 'onDecline' | 'onExpiry'
>;

/** Returns the strictest of each: people get the most time and write the most, and the crew learns only what every rule lets it learn. */
export function settingsOf(policies: readonly Policy[]): Settings {
  const [only, ...others] = policies;
  if (only && others.length === 0) return only;
  return {
    undoMs: Math.max(0, ...policies.map(({ undoMs }) => undoMs)),
    minReviewMs: Math.max(0, ...policies.map(({ minReviewMs }) => minReviewMs)),
    comment: {
      approve: strictestComment(policies.map(({ comment }) => comment.approve)),
      reject: strictestComment(policies.map(({ comment }) => comment.reject)),
    },
    approveMeans: sameMeaning(policies),
    templates: templatesOf(policies),
    onDecline: policies.every(({ onDecline }) => onDecline === 'reject') ? 'reject' : 'close',
    onExpiry: policies.every(({ onExpiry }) => onExpiry === 'reject') ? 'reject' : 'close',
  };
}

/** Returns the strictest setting: `required`, then `none`, by which people can't write anything, then `optional`. */
function strictestComment(comments: readonly Comment[]): Comment {
  if (comments.includes('required')) return 'required';
  return comments.includes('none') ? 'none' : 'optional';
}

/** Returns null where the rules describe the effect of approving differently, since it isn't known yet which of them is right. */
function sameMeaning(policies: readonly Policy[]): string | null {
  const [first = null, ...others] = new Set(policies.map(({ approveMeans }) => approveMeans));
  return others.length === 0 ? first : null;
}

/** Returns the templates of all rules, each name once. */
function templatesOf(policies: readonly Policy[]): FeedbackTemplate[] {
  const all = policies.flatMap(({ templates }) => templates);
  return [...new Map(all.toReversed().map((template) => [template.name, template])).values()].reverse();
}
