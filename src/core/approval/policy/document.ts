import { canonicalJson } from '../../ledger/entry.ts';
import { sha256 } from '../../ledger/sha256.ts';
import { type Approver, type CrewPolicy, NOBODY, type Policy, parseApprover } from './policy.ts';

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
  undo_ms: number;
  min_review_ms: number;
  remind_after_ms: number | null;
  escalate_after_ms: number | null;
  escalate_to: string[];
  expire_after_ms: number | null;
  on_expiry: 'close' | 'reject';
  expiry_text: string;
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
  const { approvers, quorum, self_approval, guests, escalate_after_ms, escalate_to } = rulesDocument(policy);
  return { approvers, quorum, self_approval, guests, escalate_after_ms, escalate_to };
}

/** The rules of one task, without what doesn't bear on who decides. */
export function rulesDocument(policy: Policy): RulesDocument {
  return {
    approvers: policy.approvers.map(({ name }) => name),
    quorum: policy.quorum,
    self_approval: policy.selfApproval,
    ...(policy.startedElsewhere.length > 0 && { started_elsewhere: policy.startedElsewhere.map(({ name }) => name) }),
    guests: policy.guests,
    undo_ms: policy.undoMs,
    min_review_ms: policy.minReviewMs,
    remind_after_ms: policy.remindAfterMs,
    escalate_after_ms: policy.escalateAfterMs,
    escalate_to: policy.escalateTo.map(({ name }) => name),
    expire_after_ms: policy.expireAfterMs,
    on_expiry: policy.onExpiry,
    expiry_text: policy.expiryText,
  };
}

function rulesOf(rules: RulesDocument): Policy {
  return {
    approvers: approversOf(rules.approvers),
    quorum: rules.quorum,
    selfApproval: rules.self_approval,
    startedElsewhere: approversOf(rules.started_elsewhere ?? []),
    guests: rules.guests,
    undoMs: rules.undo_ms,
    minReviewMs: rules.min_review_ms,
    remindAfterMs: rules.remind_after_ms,
    escalateAfterMs: rules.escalate_after_ms,
    escalateTo: approversOf(rules.escalate_to),
    expireAfterMs: rules.expire_after_ms,
    onExpiry: rules.on_expiry,
    expiryText: rules.expiry_text,
    templates: [],
  };
}

/** A name of another shape stands for nobody. */
function approversOf(names: readonly string[]): Approver[] {
  return names.map(parseApprover).filter((approver) => approver !== null);
}
