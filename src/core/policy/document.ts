// A policy as a document, which exports of the ledger contain and whose hash names the policy. `audit.md` describes the format.

import { canonicalJson, sha256 } from '../ledger/entry.ts';
import type { Condition, InputKind } from './condition.ts';
import {
  type Comment,
  type CrewPolicy,
  DEFAULT_POLICY,
  type DelegationRule,
  NOBODY,
  type Policy,
  type StagePolicy,
} from './policy.ts';

/** A policy with the names of the crews file, all defaults filled in, and times in milliseconds. */
export interface PolicyDocument extends ConditionedDocument {
  tasks: (ConditionedDocument & TaskDocument)[];
  /** The inputs that conditions and approvers name. */
  inputs?: Record<string, InputKind> | undefined;
  /** Absent where titles of requests by programs and workflows don't count as names of tasks. */
  match_titles?: true | undefined;
}

/** `id` matches the id of a task alone, `match` its name as well. */
export type TaskDocument = { match: string; id?: undefined } | { id: string; match?: undefined };

export interface ConditionedDocument extends PlainDocument {
  /** The first whose condition holds replaces the rules around it. */
  when?: (PlainDocument & { if: string })[] | undefined;
}

export interface PlainDocument extends RulesDocument {
  /** The rules of a stage replace those around it. */
  stages?: (RulesDocument & { name: string })[] | undefined;
}

export interface RulesDocument {
  approvers: string[];
  quorum: number;
  all_of?: string[] | undefined;
  self_approval: boolean;
  /** People who count as starters of a run that was started elsewhere. */
  started_elsewhere?: string[] | undefined;
  guests: boolean;
  /** Absent for `approvers`. */
  delegation?: DelegationRule | undefined;
  undo_ms: number;
  min_review_ms: number;
  remind_after_ms: number | null;
  escalate_after_ms: number | null;
  escalate_to: string[];
  expire_after_ms: number | null;
  on_expiry: 'close' | 'reject';
  expiry_text: string;
  /** Absent for the default. */
  comment?: { approve: Comment; reject: Comment } | undefined;
  on_decline?: 'reject' | undefined;
  step_up?: true | undefined;
  /** Patterns of the outcomes that approve; absent where all do. */
  approving?: string[] | undefined;
}

export function policyDocument(policy: CrewPolicy): PolicyDocument {
  const { inputs, tasks, matchTitles } = policy;
  return {
    ...conditionedDocument(policy),
    tasks: tasks.map(({ match, looksAt, ...rules }) => ({
      ...(looksAt === 'id' ? { id: match } : { match }),
      ...conditionedDocument(rules),
    })),
    ...(Object.keys(inputs).length > 0 && { inputs: { ...inputs } }),
    ...(matchTitles && { match_titles: matchTitles }),
  };
}

function conditionedDocument({ when, ...policy }: Policy & Pick<CrewPolicy, 'when'>): ConditionedDocument {
  const conditions = when.map(({ condition, ...rules }) => ({ if: condition.text, ...plainDocument(rules) }));
  return { ...plainDocument(policy), ...(conditions.length > 0 && { when: conditions }) };
}

function plainDocument(policy: Policy): PlainDocument {
  const stages = policy.stages.map((stage) => ({ name: stage.name, ...rulesDocument(stage) }));
  return { ...rulesDocument(policy), ...(stages.length > 0 && { stages }) };
}

/** Returns the condition that was read from a text; for a wrong text, one that is always unknown. */
export function conditionOf(read: Condition | string, text: string): Condition {
  return typeof read === 'string' ? { text, sees: [], holds: () => null } : read;
}

const KEYS = new WeakMap<readonly StagePolicy[], readonly string[]>();

/** Returns keys that identify each stage by its name, its deciders and the stages before it. */
export function stageKeys(stages: readonly StagePolicy[]): readonly string[] {
  const cached = KEYS.get(stages);
  if (cached !== undefined) return cached;
  const contents = stages.map((stage) => [stage.name, decidersOf(stage)]);
  const keys = stages.map((_, i) => sha256(canonicalJson(contents.slice(0, i + 1))));
  KEYS.set(stages, keys);
  return keys;
}

const HASHES = new WeakMap<CrewPolicy, string>();

/** Returns the SHA-256 of the canonical JSON of a policy's document, in hex. Null stands for the policy `NOBODY`. */
export function policyHash(policy: CrewPolicy | null): string {
  if (policy === null) return policyHash(NOBODY);
  const cached = HASHES.get(policy);
  if (cached !== undefined) return cached;
  const hash = sha256(canonicalJson(policyDocument(policy)));
  HASHES.set(policy, hash);
  return hash;
}

/** Returns true if the same people, and as many of them, decide by both rules. */
export function decideAlike(one: Policy, other: Policy): boolean {
  return canonicalJson(allDeciders(one)) === canonicalJson(allDeciders(other));
}

/** Returns the first of those of the rules by which the same people decide. */
export function distinctRules<Each extends Policy>(policies: readonly Each[]): Each[] {
  return policies.filter((each, i) => policies.findIndex((other) => decideAlike(each, other)) === i);
}

function allDeciders({ stages, ...policy }: Policy) {
  return stages.length > 0 ? stageKeys(stages) : decidersOf(policy);
}

function decidersOf(policy: Rules) {
  const { quorum, self_approval, guests, escalate_after_ms, ...rules } = rulesDocument(policy);
  const { approvers, all_of = [], escalate_to, delegation = DEFAULT_POLICY.delegation, step_up = false } = rules;
  const deciders = { approvers, all_of, quorum, self_approval, guests, delegation, escalate_after_ms, escalate_to };
  return { ...deciders, step_up, ...(rules.approving && { approving: rules.approving }) };
}

/** The rules of one step. */
export type Rules = Omit<Policy, 'stages' | 'stage'>;

/** Returns the document of one step's rules, without settings that don't affect who decides. */
export function rulesDocument(policy: Rules): RulesDocument {
  return {
    approvers: policy.approvers.map(({ name }) => name),
    quorum: policy.quorum,
    ...(policy.allOf.length > 0 && { all_of: policy.allOf.map(({ name }) => name) }),
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
    ...(policy.stepUp && { step_up: policy.stepUp }),
    ...(policy.approving && { approving: [...policy.approving] }),
  };
}

function commentDocument({ comment: { approve, reject } }: Rules): Pick<RulesDocument, 'comment'> {
  const usual = DEFAULT_POLICY.comment;
  return approve === usual.approve && reject === usual.reject ? {} : { comment: { approve, reject } };
}
