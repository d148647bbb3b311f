// The `approval` of a crew in the crews file, and the policy that it makes.

import { z } from 'zod';
import { parseCondition } from '../conditions/cel.ts';
import { type InputKinds, inputOf } from '../core/policy/condition.ts';
import { conditionOf } from '../core/policy/document.ts';
import { inputsNamedIn } from '../core/policy/in-force.ts';
import {
  type Approver,
  COMMENT,
  type CrewPolicy,
  DEFAULT_POLICY,
  DELEGATION,
  type FeedbackTemplate,
  type Policy,
  parseApprover,
  patternOf,
} from '../core/policy/policy.ts';
import { parseDuration } from '../core/values/time.ts';
import { NOT_TEXT, parseText, text, YES_NO } from './fields.ts';

const SHAPES =
  'must be a person (U0123ABC or maria@example.com), a user group (S0456DEF or "@leads"), channel or workspace';
/** Kinds of approvers that don't depend on the inputs of a run. */
const FIXED = ['person', 'email', 'group', 'handle', 'channel', 'workspace'] as const;

/** @param rule the message for a name that can't be read, or isn't of these kinds */
function approverNamed(rule: string, kinds?: readonly Approver['kind'][]) {
  return z.string(rule).transform((name, context): Approver => {
    const approver = parseApprover(name);
    if (approver && (kinds?.includes(approver.kind) ?? true)) return approver;
    // With `continue`, a union around this type reports this message rather than its own, if no other mistake was found.
    context.issues.push({ code: 'custom', message: rule, input: name, continue: true });
    return z.NEVER;
  });
}

function approvers(each: ReturnType<typeof approverNamed>) {
  return z
    .array(each, { error: 'must be a list such as [U0123ABC, "@leads"]' })
    .min(1, 'is an empty list: name who may, or leave it out');
}

export const APPROVERS = approvers(approverNamed(`${SHAPES}, or an input that names one (input:owner_email)`));

/** Approvers without inputs. */
export const FIXED_APPROVERS = approvers(approverNamed(SHAPES, FIXED));

/** People who count as starters of runs that were started elsewhere, or `refuse` for no such runs. */
export const STARTED_ELSEWHERE = z.union(
  [
    z.literal('refuse'),
    z
      .array(approverNamed('must be a person (U0123ABC or maria@example.com)', ['person', 'email']))
      .min(1, 'is an empty list: name who starts its runs, or leave it out')
      .readonly(),
  ],
  'must be refuse, or a list such as [U0123ABC, maria@example.com]',
);

/** A duration; `0s` for none. */
const DELAY = parseText('must be a time from 0s to 365d, such as 10s, 30m, 4h or 3d', parseDuration);

/** A timer; null for `never`, by which a task turns off a timer of its crew. */
export const TIMER = parseText('must be a time from 1s to 365d, such as 30m, 4h or 3d, or never', (written) =>
  written === 'never' ? null : parseDuration(written) || undefined,
);

const MOST_PEOPLE = 100;
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const OPTION_LENGTH = 75;
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
const INPUT_LENGTH = 3_000;

const QUORUM_RULE = `must be a whole number from 1 to ${MOST_PEOPLE}`;

const FEEDBACK_TEMPLATE = z.strictObject(
  {
    name: text('is missing: what people choose it by').min(1, 'is empty').max(OPTION_LENGTH, longest(OPTION_LENGTH)),
    text: text('is missing: the feedback').min(1, 'is empty').max(INPUT_LENGTH, longest(INPUT_LENGTH)),
  },
  { error: 'must be a map: name, text' },
) satisfies z.ZodType<FeedbackTemplate>;

const COMMENT_RULE = `must be ${COMMENT.slice(0, -1).join(', ')} or ${COMMENT.at(-1)}, or a map of these: approve, reject`;
const ONE_COMMENT = z.enum(COMMENT, COMMENT_RULE);

/** Comments with verdicts: one value for both, or one for each. */
export const COMMENTS = z.union(
  [
    ONE_COMMENT.transform((both) => ({ approve: both, reject: both })),
    z.strictObject({ approve: ONE_COMMENT.optional(), reject: ONE_COMMENT.optional() }, COMMENT_RULE),
  ],
  COMMENT_RULE,
);

/** Settings of crews, tasks, conditions and stages. */
const STAGE_RULES = {
  approvers: APPROVERS.optional(),
  quorum: z.int(QUORUM_RULE).min(1, QUORUM_RULE).max(MOST_PEOPLE, QUORUM_RULE).optional(),
  all_of: APPROVERS.optional(),
  remind_after: TIMER.optional(),
  escalate_after: TIMER.optional(),
  escalate_to: APPROVERS.optional(),
  expire_after: TIMER.optional(),
};

const MOST_STAGES = 10;
const STAGE_NAME_LENGTH = 40;
const STAGE_NAME = new RegExp(`^[^\\r\\n\\u2028\\u2029]{1,${STAGE_NAME_LENGTH}}$`, 'u');

const STAGE = z.strictObject(
  {
    name: text('is missing: what people call the stage')
      .trim()
      .regex(STAGE_NAME, `must be one line of at most ${STAGE_NAME_LENGTH} characters`),
    ...STAGE_RULES,
  },
  { error: 'must be a map: name, and its approvers and quorum' },
);

/** Fits on one line of a card. */
const MEANING_LENGTH = 80;
const MEANING = new RegExp(`^[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,${MEANING_LENGTH}}$`, 'u');

/** Settings of crews, tasks and conditions. */
const RULES = {
  ...STAGE_RULES,
  stages: z
    .array(STAGE, 'must be a list of maps: name, and the approvers and quorum of each')
    .min(1, 'is an empty list: leave it out where there is one stage')
    .max(MOST_STAGES, `has more than ${MOST_STAGES} stages`)
    .optional(),
  step_up: YES_NO.optional(),
  self_approval: YES_NO.optional(),
  guests: YES_NO.optional(),
  delegation: z.enum(DELEGATION, 'must be none, approvers or anyone').optional(),
  undo: DELAY.optional(),
  min_review: DELAY.optional(),
  on_expiry: z.enum(['close', 'reject'], 'must be close or reject').optional(),
  expiry_text: z.string(NOT_TEXT).min(1, 'is empty').max(INPUT_LENGTH, longest(INPUT_LENGTH)).optional(),
  approve_means: text('must be text: what approving does')
    .trim()
    .regex(MEANING, `must be one line of 1 to ${MEANING_LENGTH} characters`)
    .optional(),
  templates: z.array(FEEDBACK_TEMPLATE, 'must be a list of maps: name, text').optional(),
  comment: COMMENTS.optional(),
  on_decline: z.enum(['close', 'reject'], 'must be close or reject').optional(),
};

const MOST_CONDITIONS = 50;

const CONDITION = z.strictObject(
  {
    if: text('is missing: when these rules apply, such as inputs.amount > 5000').min(1, 'is empty'),
    may_loosen: YES_NO.optional(),
    ...RULES,
  },
  { error: 'must be a map: if, and what differs then' },
);

const CONDITIONS = {
  when: z
    .array(CONDITION, 'must be a list of maps: if, and what differs then')
    .max(MOST_CONDITIONS, `has more than ${MOST_CONDITIONS} conditions`)
    .optional(),
  /** Applies to all conditions beside it. */
  may_loosen: YES_NO.optional(),
};

const OUTCOME_RULE = 'must be a list of outcomes that approve, such as [approved, "ship*"]';

/** Conditions can't change which outcomes approve: people couldn't know what a button means. */
const OUTCOMES = {
  approving: z.array(z.string(OUTCOME_RULE).min(1, 'is empty: * stands for any text'), OUTCOME_RULE).optional(),
};

const PATTERN = z.string(NOT_TEXT).min(1, 'is empty: * stands for any text').optional();

const TASK = z
  .strictObject(
    { match: PATTERN, id: PATTERN, ...OUTCOMES, ...RULES, ...CONDITIONS },
    { error: 'must be a map: match, and what differs for these tasks' },
  )
  .superRefine(({ match, id }, { addIssue }) => {
    if (match === undefined && id === undefined)
      addIssue({
        code: 'custom',
        path: ['match'],
        message: 'is missing: the name of a task, with * for any text; or say id, for its id alone',
      });
    if (match !== undefined && id !== undefined)
      addIssue({ code: 'custom', path: ['id'], message: 'stands beside match: an entry has one of them' });
  });

/** The `approval` of a crew; `compareApproval` finds contradictions between its settings. */
export const APPROVAL_SETTINGS = z.strictObject(
  {
    ...OUTCOMES,
    ...RULES,
    ...CONDITIONS,
    started_elsewhere: STARTED_ELSEWHERE.optional(),
    match_titles: YES_NO.optional(),
    tasks: z.array(TASK, 'must be a list of maps: match, and what differs for these tasks').optional(),
  },
  { error: 'must be a map such as approvers: [U0123ABC]' },
);

export const APPROVAL_SETTING_NAMES = [
  ...Object.keys(APPROVAL_SETTINGS.shape),
  ...['match', 'id', 'if', 'text', 'reject'],
];

export type ApprovalSettings = z.infer<typeof APPROVAL_SETTINGS>;

type Rules = z.infer<z.ZodObject<typeof RULES & typeof OUTCOMES>>;

/** The crew's other settings that its policy uses. */
interface Surroundings {
  /** The crew's `started_elsewhere`, which holds for all tasks. */
  startedElsewhere: readonly Approver[];
  /** The inputs that conditions and approvers can name. */
  inputs: InputKinds;
  /** The zone of the hour that conditions see. */
  timeZone: string;
}

export function policyOf(
  { tasks = [], match_titles: matchTitles = false, ...usual }: ApprovalSettings,
  surroundings: Surroundings,
): CrewPolicy {
  const { inputs, timeZone } = surroundings;
  const policy = conditioned(usual, usual.when, surroundings);
  const ofTasks = tasks.map(({ match, id, ...own }) => ({
    ...patternOf({ match, id }),
    ...conditioned(merged(usual, own), own.when ?? usual.when, surroundings),
  }));
  const inputNames = new Set([policy, ...ofTasks].flatMap(inputsSeen));
  const kinds = Object.entries(inputs).filter(([name]) => inputNames.has(name));
  return { ...policy, tasks: ofTasks, inputs: Object.fromEntries(kinds), timeZone, matchTitles };
}

function conditioned(
  rules: Rules,
  when: ApprovalSettings['when'] = [],
  { startedElsewhere, inputs }: Pick<Surroundings, 'startedElsewhere' | 'inputs'>,
) {
  const own = withOwnApprovers(rules);
  const conditions = when.map(({ if: text, may_loosen: _, ...changed }) => ({
    ...plainPolicy({ ...own, ...changed, comment: { ...own.comment, ...changed.comment } }, startedElsewhere),
    condition: conditionOf(parseCondition(text, inputs), text),
  }));
  return { ...plainPolicy(own, startedElsewhere), when: conditions };
}

function inputsSeen(policy: Policy & Pick<CrewPolicy, 'when'>): string[] {
  const seen = policy.when.flatMap(({ condition }) => condition.sees.flatMap((name) => inputOf(name) ?? []));
  return [...seen, ...inputsNamedIn(policy)];
}

/** Returns the rules of some tasks: their own settings over the usual ones. */
function merged(usual: Rules, own: Rules): Rules {
  return { ...withOwnApprovers(usual), ...withOwnApprovers(own), comment: { ...usual.comment, ...own.comment } };
}

/**
 * In the rules of a crew, a task or a stage, `all_of` alone also names the approvers: nobody else can decide. In a condition it isn't
 * used: there `all_of` comes on top of the approvers that are named already.
 */
function withOwnApprovers<Each extends Pick<Rules, 'approvers' | 'all_of'>>(rules: Each): Each {
  return rules.approvers === undefined && rules.all_of !== undefined ? { ...rules, approvers: rules.all_of } : rules;
}

function plainPolicy({ stages = [], ...rules }: Rules, startedElsewhere: readonly Approver[]): Policy {
  const policy = overridden({ ...DEFAULT_POLICY, startedElsewhere }, rules);
  const ofStages = stages.map(({ name, ...own }) => ({ ...overridden(policy, withOwnApprovers(own)), name }));
  return { ...policy, stages: ofStages, stage: 0 };
}

type PlainRules = Omit<Policy, 'stages' | 'stage'>;

/** Returns a policy with other rules in place of its own. Null turns a timer off. */
function overridden(policy: PlainRules, rules: Omit<Rules, 'stages'>): PlainRules {
  const timer = (own: number | null | undefined, usual: number | null) => (own === undefined ? usual : own);
  return {
    approvers: rules.approvers ?? policy.approvers,
    quorum: rules.quorum ?? policy.quorum,
    allOf: rules.all_of ?? policy.allOf,
    selfApproval: rules.self_approval ?? policy.selfApproval,
    startedElsewhere: policy.startedElsewhere,
    guests: rules.guests ?? policy.guests,
    delegation: rules.delegation ?? policy.delegation,
    undoMs: rules.undo ?? policy.undoMs,
    minReviewMs: rules.min_review ?? policy.minReviewMs,
    remindAfterMs: timer(rules.remind_after, policy.remindAfterMs),
    escalateAfterMs: timer(rules.escalate_after, policy.escalateAfterMs),
    escalateTo: rules.escalate_to ?? policy.escalateTo,
    expireAfterMs: timer(rules.expire_after, policy.expireAfterMs),
    onExpiry: rules.on_expiry ?? policy.onExpiry,
    expiryText: rules.expiry_text ?? policy.expiryText,
    approveMeans: rules.approve_means ?? policy.approveMeans,
    templates: rules.templates ?? policy.templates,
    comment: {
      approve: rules.comment?.approve ?? policy.comment.approve,
      reject: rules.comment?.reject ?? policy.comment.reject,
    },
    onDecline: rules.on_decline ?? policy.onDecline,
    stepUp: rules.step_up ?? policy.stepUp,
    approving: rules.approving ?? policy.approving,
  };
}

function longest(length: number): string {
  return `is longer than ${length} characters`;
}
