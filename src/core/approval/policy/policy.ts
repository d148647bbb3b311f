import { canonicalJson, sha256 } from '../../ledger/entry.ts';
import type { Millis } from '../../time.ts';

/**
 * People whom a policy names, as the crews file writes them: a person by id (`U0123ABC`) or e-mail address, a user group by
 * id (`S0456DEF`) or handle (`@leads`), the members of the channel that the card is in, or those of the workspace.
 */
export interface Approver {
  kind: 'person' | 'email' | 'group' | 'handle' | 'channel' | 'workspace';
  name: string;
}

export const WORKSPACE: Approver = { kind: 'workspace', name: 'workspace' };

/** https://docs.slack.dev/reference/objects/user-object and /usergroup-object */
const SHAPES: readonly (readonly [RegExp, Approver['kind']])[] = [
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

/** Whether Slack has to be asked whom it stands for. */
export function mustBeLookedUp({ kind }: Approver): boolean {
  return kind !== 'person' && kind !== 'workspace';
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
  /** How many different people have to approve. One rejection decides at once. */
  quorum: number;
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
  /** For feedback. */
  templates: readonly FeedbackTemplate[];
  /** Whether people say something with their verdict. */
  comment: Readonly<Record<'approve' | 'reject', Comment>>;
  /** What the crew is told of a final no: nothing, or a last rejection that says so. */
  onDecline: 'close' | 'reject';
}

export const COMMENT = ['optional', 'required', 'none'] as const;

type Comment = (typeof COMMENT)[number];

export interface FeedbackTemplate {
  name: string;
  text: string;
}

/** The policy of a crew: the usual one, and those of some of its tasks. */
export interface CrewPolicy extends Policy {
  /** The first whose pattern matches a task applies to it. */
  tasks: readonly TaskPolicy[];
}

interface TaskPolicy extends Policy {
  /** A task's name or id, in any case, with `*` for any text. */
  match: string;
}

export const DEFAULT_POLICY: CrewPolicy = {
  approvers: [WORKSPACE],
  quorum: 1,
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
  templates: [],
  comment: { approve: 'optional', reject: 'required' },
  onDecline: 'close',
  tasks: [],
};

/**
 * What the ledger names where the policy isn't known, since the crew isn't configured: nobody may decide. No request is ever
 * judged by it.
 */
export const NOBODY: CrewPolicy = { ...DEFAULT_POLICY, approvers: [] };

interface Task {
  taskId: string;
  taskName: string | null;
}

/** Those whom a policy names; after an escalation, also those whom it names for that. */
export function approversNow(
  { approvers, escalateTo }: Pick<Policy, 'approvers' | 'escalateTo'>,
  { isEscalated }: { isEscalated: boolean },
): readonly Approver[] {
  return isEscalated ? everNamed({ approvers, escalateTo }) : approvers;
}

/** Those whom a policy names to decide, at once or after an escalation. */
export function everNamed({ approvers, escalateTo }: Pick<Policy, 'approvers' | 'escalateTo'>): readonly Approver[] {
  return [...approvers, ...escalateTo];
}

/** About whom Slack has to be asked to judge people: those who may decide now, and those to whom it may have been handed over. */
export function askedAbout(
  policy: Pick<Policy, 'approvers' | 'escalateTo'>,
  { handedOver, isEscalated }: { handedOver: readonly unknown[]; isEscalated: boolean },
): readonly Approver[] {
  return handedOver.length > 0 ? everNamed(policy) : approversNow(policy, { isEscalated });
}

/** The hand-overs that can count; each ends with the right of its giver. */
export function handOversUnder<HandOver>(
  { delegation }: Pick<Policy, 'delegation'>,
  handedOver: readonly HandOver[],
): readonly HandOver[] {
  return delegation === 'none' ? [] : handedOver;
}

/** All whom a policy names, for or against. */
export function namedIn(policy: Policy): readonly Approver[] {
  return [...everNamed(policy), ...policy.startedElsewhere];
}

/** Those who may not decide a run since they started it, or count as its starters. `starterId` is null if it was started elsewhere. */
export function barredStarters(
  { selfApproval, startedElsewhere }: Pick<Policy, 'selfApproval' | 'startedElsewhere'>,
  starterId: string | null,
): readonly Approver[] {
  if (selfApproval) return [];
  return starterId === null ? startedElsewhere : [{ kind: 'person', name: starterId }];
}

/** The policy of a task: the crew's, or that of the first pattern that matches its name or, without one, its id. */
export function policyFor(policy: CrewPolicy, task: Task): Policy;
export function policyFor(policy: CrewPolicy | null, task: Task): Policy | null;
export function policyFor(policy: CrewPolicy | null, task: Task): Policy | null {
  if (policy === null) return null;
  const index = taskIndexFor(policy, task);
  return (index === null ? null : policy.tasks[index]) ?? policy;
}

/** The place of that pattern among the crew's; null if none matches. */
export function taskIndexFor({ tasks }: CrewPolicy, { taskId, taskName }: Task): number | null {
  const isMeant = (match: string) => [taskName, taskId].some((name) => name !== null && matches(match, name));
  const index = tasks.findIndex(({ match }) => isMeant(match));
  return index === -1 ? null : index;
}

/** Whether the crew's own rules apply only as long as it isn't known what the task is called. */
export function isProvisional(policy: CrewPolicy | null, task: Task): boolean {
  if (policy === null || policy.tasks.length === 0) return false;
  return task.taskName === null && taskIndexFor(policy, task) === null;
}

/** Lists match the names of all requests. The patterns are those of the crews file. */
const EXPRESSIONS = new Map<string, RegExp>();

function matches(pattern: string, name: string): boolean {
  const known = EXPRESSIONS.get(pattern);
  const expression = known ?? expressionOf(pattern);
  if (!known) EXPRESSIONS.set(pattern, expression);
  return expression.test(name);
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'iu');
}

/** A policy as it is exported: with the names of the crews file, everything left out filled in, times in milliseconds. */
export interface PolicyDocument extends RulesDocument {
  tasks: (RulesDocument & { match: string })[];
}

interface RulesDocument {
  approvers: string[];
  quorum: number;
  self_approval: boolean;
  /** Absent where nobody counts as the starter of a run that was started elsewhere. */
  started_elsewhere?: string[] | undefined;
  guests: boolean;
  /** Absent where it is `approvers`. */
  delegation?: DelegationRule | undefined;
  undo_ms: number;
  min_review_ms: number;
  remind_after_ms: number | null;
  escalate_after_ms: number | null;
  escalate_to: string[];
  expire_after_ms: number | null;
  on_expiry: 'close' | 'reject';
  expiry_text: string;
  /** Absent where it is as by default. */
  comment?: { approve: Comment; reject: Comment } | undefined;
  /** Absent where nothing is sent. */
  on_decline?: 'reject' | undefined;
}

export function policyDocument(policy: CrewPolicy): PolicyDocument {
  return {
    ...rulesDocument(policy),
    tasks: policy.tasks.map((task) => ({ match: task.match, ...rulesDocument(task) })),
  };
}

/** The policy that a document describes. Templates don't bear on who decides, so it has none. */
export function policyOf({ tasks, ...rules }: PolicyDocument): CrewPolicy {
  return { ...rulesOf(rules), tasks: tasks.map(({ match, ...each }) => ({ match, ...rulesOf(each) })) };
}

const HASHES = new WeakMap<CrewPolicy, string>();

/**
 * Names a policy in the ledger: the SHA-256 of the canonical JSON of its document, in hex. Where the policy isn't known, that of
 * one by which nobody may decide.
 */
export function policyHash(policy: CrewPolicy | null): string {
  if (policy === null) return policyHash(NOBODY);
  const known = HASHES.get(policy);
  if (known !== undefined) return known;
  const hash = sha256(canonicalJson(policyDocument(policy)));
  HASHES.set(policy, hash);
  return hash;
}

/** Whether the same people decide, in the same number, by both rules. */
export function decideAlike(one: Policy, other: Policy): boolean {
  return canonicalJson(decidersOf(one)) === canonicalJson(decidersOf(other));
}

function decidersOf(policy: Policy) {
  const { quorum, self_approval, guests, escalate_after_ms, ...rules } = rulesDocument(policy);
  const { approvers, escalate_to, delegation = DEFAULT_POLICY.delegation } = rules;
  return { approvers, quorum, self_approval, guests, delegation, escalate_after_ms, escalate_to };
}

/** The rules of one task, without what doesn't bear on who decides. */
export function rulesDocument(policy: Policy): RulesDocument {
  return {
    approvers: policy.approvers.map(({ name }) => name),
    quorum: policy.quorum,
    self_approval: policy.selfApproval,
    ...(policy.startedElsewhere.length > 0 && { started_elsewhere: policy.startedElsewhere.map(({ name }) => name) }),
    guests: policy.guests,
    ...(policy.delegation !== DEFAULT_POLICY.delegation && { delegation: policy.delegation }),
    undo_ms: policy.undoMs,
    min_review_ms: policy.minReviewMs,
    remind_after_ms: policy.remindAfterMs,
    escalate_after_ms: policy.escalateAfterMs,
    escalate_to: policy.escalateTo.map(({ name }) => name),
    expire_after_ms: policy.expireAfterMs,
    on_expiry: policy.onExpiry,
    expiry_text: policy.expiryText,
    ...commentDocument(policy),
    ...(policy.onDecline === 'reject' && { on_decline: policy.onDecline }),
  };
}

function commentDocument({ comment: { approve, reject } }: Policy): Pick<RulesDocument, 'comment'> {
  const usual = DEFAULT_POLICY.comment;
  return approve === usual.approve && reject === usual.reject ? {} : { comment: { approve, reject } };
}

function rulesOf(rules: RulesDocument): Policy {
  return {
    approvers: approversOf(rules.approvers),
    quorum: rules.quorum,
    selfApproval: rules.self_approval,
    startedElsewhere: approversOf(rules.started_elsewhere ?? []),
    guests: rules.guests,
    delegation: rules.delegation ?? DEFAULT_POLICY.delegation,
    undoMs: rules.undo_ms,
    minReviewMs: rules.min_review_ms,
    remindAfterMs: rules.remind_after_ms,
    escalateAfterMs: rules.escalate_after_ms,
    escalateTo: approversOf(rules.escalate_to),
    expireAfterMs: rules.expire_after_ms,
    onExpiry: rules.on_expiry,
    expiryText: rules.expiry_text,
    templates: [],
    comment: rules.comment ?? DEFAULT_POLICY.comment,
    onDecline: rules.on_decline ?? 'close',
  };
}

/** A name of another shape stands for nobody. */
function approversOf(names: readonly string[]): Approver[] {
  return names.map(parseApprover).filter((approver) => approver !== null);
}
