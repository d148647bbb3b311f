// A policy as it is exported and named by its hash.

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

/** A policy as it is exported: with the names of the crews file, everything left out filled in, times in milliseconds. */
export interface PolicyDocument extends ConditionedDocument {
  tasks: (ConditionedDocument & TaskDocument)[];
  /** Those that conditions and approvers name; absent where there are none. */
  inputs?: Record<string, InputKind> | undefined;
  /** Absent where the titles of what programs and workflows ask aren't names of tasks. */
  match_titles?: true | undefined;
}

/** The pattern of an entry for some tasks: `id` looks at the id of a task alone. */
export type TaskDocument = { match: string; id?: undefined } | { id: string; match?: undefined };

export interface ConditionedDocument extends PlainDocument {
  /** Absent where there are none. The first whose condition holds replaces the rules around it. */
  when?: (PlainDocument & { if: string })[] | undefined;
}

export interface PlainDocument extends RulesDocument {
  /** Absent where there are none. Their rules replace those around them. */
  stages?: (RulesDocument & { name: string })[] | undefined;
}

export interface RulesDocument {
  approvers: string[];
  quorum: number;
  /** Absent where it is empty. */
  all_of?: string[] | undefined;
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
  /** Absent where approving takes no sign-in. */
  step_up?: true | undefined;
  /** The outcomes that approve, as patterns; absent where all do. */
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

/** What a text was read as; without that, a condition of which nobody can tell whether it holds. */
export function conditionOf(read: Condition | string, text: string): Condition {
  return typeof read === 'string' ? { text, sees: [], holds: () => null } : read;
}

const KEYS = new WeakMap<readonly StagePolicy[], readonly string[]>();

/** Recognise each stage by its name, by what it takes to complete it, and by the stages before it. */
export function stageKeys(stages: readonly StagePolicy[]): readonly string[] {
  const known = KEYS.get(stages);
  if (known !== undefined) return known;
  const contents = stages.map((stage) => [stage.name, decidersOf(stage)]);
  const keys = stages.map((_, i) => sha256(canonicalJson(contents.slice(0, i + 1))));
  KEYS.set(stages, keys);
  return keys;
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
  return canonicalJson(allDeciders(one)) === canonicalJson(allDeciders(other));
}

/** Of rules by which the same people decide alike, the first. */
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

/** Without what comes before or after them. */
export type Rules = Omit<Policy, 'stages' | 'stage'>;

/** The rules of one task, without what doesn't bear on who decides. */
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
