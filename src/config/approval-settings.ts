import { z } from 'zod';
import type { Approver } from '../core/approval/policy/approver.ts';
import { type CrewPolicy, DEFAULT_POLICY, type FeedbackTemplate, type Policy } from '../core/approval/policy/policy.ts';
import { APPROVERS, STARTED_ELSEWHERE } from './approver-settings.ts';
import { DELAY, TIMER } from './duration.ts';
import { NOT_TEXT, text } from './text.ts';

const MOST_PEOPLE = 100;
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const OPTION_LENGTH = 75;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
const INPUT_LENGTH = 3_000;

const YES_NO = z.boolean({ error: 'must be true or false' });
const QUORUM_RULE = `must be a whole number from 1 to ${MOST_PEOPLE}`;

const FEEDBACK_TEMPLATE = z.strictObject(
  {
    name: text('is missing: what people choose it by').min(1, 'is empty').max(OPTION_LENGTH, longest(OPTION_LENGTH)),
    text: text('is missing: the feedback').min(1, 'is empty').max(INPUT_LENGTH, longest(INPUT_LENGTH)),
  },
  { error: 'must be a map: name, text' },
) satisfies z.ZodType<FeedbackTemplate>;

/** What a crew and its tasks can set. What is left out is undefined. */
const RULES = {
  approvers: APPROVERS.optional(),
  quorum: z.int(QUORUM_RULE).min(1, QUORUM_RULE).max(MOST_PEOPLE, QUORUM_RULE).optional(),
  self_approval: YES_NO.optional(),
  guests: YES_NO.optional(),
  undo: DELAY.optional(),
  min_review: DELAY.optional(),
  remind_after: TIMER.optional(),
  escalate_after: TIMER.optional(),
  escalate_to: APPROVERS.optional(),
  expire_after: TIMER.optional(),
  on_expiry: z.enum(['close', 'reject'], 'must be close or reject').optional(),
  expiry_text: z.string(NOT_TEXT).min(1, 'is empty').max(INPUT_LENGTH, longest(INPUT_LENGTH)).optional(),
  templates: z.array(FEEDBACK_TEMPLATE, 'must be a list of maps: name, text').optional(),
};

const TASK = z.strictObject(
  {
    match: text('is missing: the name of a task, with * for any text').min(1, 'is empty: * stands for any text'),
    ...RULES,
  },
  { error: 'must be a map: match, and what differs for these tasks' },
);

/** The `approval` of a crew; `compareApproval` finds what is wrong between its settings. */
export const APPROVAL_SETTINGS = z.strictObject(
  {
    ...RULES,
    started_elsewhere: STARTED_ELSEWHERE.optional(),
    tasks: z.array(TASK, 'must be a list of maps: match, and what differs for these tasks').optional(),
  },
  { error: 'must be a map such as approvers: [U0123ABC]' },
);

/** @param startedElsewhere those who count as the starter of runs that were started elsewhere, whatever the task */
export function policyOf(
  { tasks = [], ...rules }: z.infer<typeof APPROVAL_SETTINGS>,
  startedElsewhere: readonly Approver[],
): CrewPolicy {
  const policy = overridden({ ...DEFAULT_POLICY, startedElsewhere }, rules);
  return { ...policy, tasks: tasks.map(({ match, ...own }) => ({ ...overridden(policy, own), match })) };
}

export const APPROVAL_SETTING_NAMES = ['match', 'text', 'tasks', 'started_elsewhere', ...Object.keys(RULES)];

type Rules = z.infer<z.ZodObject<typeof RULES>>;

/** A policy with other rules in place of its own. Null turns a timer off. */
function overridden(policy: Policy, rules: Rules): Policy {
  const timer = (own: number | null | undefined, usual: number | null) => (own === undefined ? usual : own);
  return {
    approvers: rules.approvers ?? policy.approvers,
    quorum: rules.quorum ?? policy.quorum,
    selfApproval: rules.self_approval ?? policy.selfApproval,
    startedElsewhere: policy.startedElsewhere,
    guests: rules.guests ?? policy.guests,
    undoMs: rules.undo ?? policy.undoMs,
    minReviewMs: rules.min_review ?? policy.minReviewMs,
    remindAfterMs: timer(rules.remind_after, policy.remindAfterMs),
    escalateAfterMs: timer(rules.escalate_after, policy.escalateAfterMs),
    escalateTo: rules.escalate_to ?? policy.escalateTo,
    expireAfterMs: timer(rules.expire_after, policy.expireAfterMs),
    onExpiry: rules.on_expiry ?? policy.onExpiry,
    expiryText: rules.expiry_text ?? policy.expiryText,
    templates: rules.templates ?? policy.templates,
  };
}

function longest(length: number): string {
  return `is longer than ${length} characters`;
}
