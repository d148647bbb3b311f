// Rebuilds the policy from the document in an export, so that decisions can be judged again.

import type { ParseCondition } from '../../../core/policy/condition.ts';
import {
  type ConditionedDocument,
  conditionOf,
  type PlainDocument,
  type PolicyDocument,
  type Rules,
  type RulesDocument,
} from '../../../core/policy/document.ts';
import {
  type Approver,
  type CrewPolicy,
  DEFAULT_POLICY,
  type Policy,
  parseApprover,
  patternOf,
} from '../../../core/policy/policy.ts';

/** Returns the policy of a document, without templates, which decide nothing. An unreadable condition is unknown. */
export function policyOf(
  { tasks, inputs = {}, match_titles: matchTitles, ...rules }: PolicyDocument,
  parse: ParseCondition,
): CrewPolicy {
  const conditioned = ({ when = [], ...each }: ConditionedDocument) => ({
    ...plainOf(each),
    when: when.map(({ if: text, ...changed }) => ({
      ...plainOf(changed),
      condition: conditionOf(parse(text, inputs), text),
    })),
  });
  const all = tasks.map(({ match, id, ...each }) => ({
    ...patternOf({ match, id }),
    ...conditioned(each),
  }));
  const { timeZone } = DEFAULT_POLICY;
  return { ...conditioned(rules), tasks: all, inputs, timeZone, matchTitles: matchTitles ?? false };
}

function plainOf({ stages = [], ...rules }: PlainDocument): Policy {
  return { ...rulesOf(rules), stages: stages.map(({ name, ...each }) => ({ ...rulesOf(each), name })), stage: 0 };
}

function rulesOf(rules: RulesDocument): Rules {
  return {
    approvers: approversOf(rules.approvers),
    quorum: rules.quorum,
    allOf: approversOf(rules.all_of ?? []),
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
    approveMeans: null,
    templates: [],
    comment: rules.comment ?? DEFAULT_POLICY.comment,
    onDecline: rules.on_decline ?? 'close',
    stepUp: rules.step_up ?? false,
    approving: rules.approving ?? null,
  };
}

/** Leaves out names of an unknown form, which stand for nobody. */
function approversOf(names: readonly string[]): Approver[] {
  return names.map(parseApprover).filter((approver) => approver !== null);
}
