// Random rules of a crew in a form of their own: the oracle reads them as they are, and the bot as its own policy.

import fc from 'fast-check';
import type { Condition } from '../../../../src/core/policy/condition.ts';
import {
  type Approver,
  type CrewPolicy,
  DEFAULT_POLICY,
  type Policy,
  parseApprover,
  type StagePolicy,
} from '../../../../src/core/policy/policy.ts';

/** Who has to approve one step, and when others may, too. */
export interface Step {
  approvers: string[];
  quorum: number;
  allOf: string[];
  escalateTo: string[];
}

/** The rules at one place of a crew's policy. */
export interface PlainRules {
  steps: Step[];
  selfApproval: boolean;
  guests: boolean;
  delegation: 'none' | 'approvers' | 'anyone';
  stepUp: boolean;
}

export interface ConditionedRules extends PlainRules {
  when: (PlainRules & { if: Test })[];
}

export interface TaskRules extends ConditionedRules {
  pattern: string;
  looksAt: 'name' | 'id';
}

export interface CrewRulesSpec extends ConditionedRules {
  tasks: TaskRules[];
  matchTitles: boolean;
}

/** A condition, which the oracle understands without the language of conditions. */
export type Test =
  | { sees: 'inputs.amount'; over: number }
  | { sees: 'task'; is: string }
  | { sees: 'round'; over: number };

export const ESCALATE_MS = 30_000;
export const UNDO_MS = 10_000;

const GROUPS = ['@leads', '@legal', '@heads', 'channel'];
const PEOPLE = ['UANNA', 'UBEN', 'UGUEST', 'input:owner'];
const approver = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...GROUPS) },
  { weight: 2, arbitrary: fc.constantFrom(...PEOPLE) },
  { weight: 4, arbitrary: fc.constant('workspace') },
);
const approvers = fc.uniqueArray(approver, { minLength: 1, maxLength: 2 });
const group = fc.constantFrom('@leads', '@legal', '@heads', 'UCARA');

const step: fc.Arbitrary<Step> = fc.record({
  approvers,
  quorum: fc.constantFrom(1, 1, 1, 2, 2, 3),
  allOf: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(group, { minLength: 1, maxLength: 2 }) },
  ),
  escalateTo: fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: approvers }),
});

const PLAIN = {
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(step, { minLength: 2, maxLength: 3, size: '-1' }) },
  ),
  selfApproval: fc.boolean(),
  guests: fc.boolean(),
  delegation: fc.constantFrom('none', 'approvers', 'anyone', 'anyone'),
  stepUp: fc.constantFrom(false, false, true),
} satisfies { [Key in keyof PlainRules]: fc.Arbitrary<PlainRules[Key]> };

const test: fc.Arbitrary<Test> = fc.oneof(
  fc.record({ sees: fc.constant('inputs.amount' as const), over: fc.constantFrom(0, 5, 50) }),
  fc.record({ sees: fc.constant('task' as const), is: fc.constantFrom('publish', 'draft') }),
  fc.record({ sees: fc.constant('round' as const), over: fc.constantFrom(0, 1) }),
);

const CONDITIONED = { ...PLAIN, when: fc.array(fc.record({ ...PLAIN, if: test }), { maxLength: 2, size: '-1' }) };

const task: fc.Arbitrary<TaskRules> = fc.record({
  ...CONDITIONED,
  pattern: fc.constantFrom('publish', 'publish', 'draft', 'p*', '*', 't1', 'T*'),
  looksAt: fc.constantFrom('name', 'name', 'name', 'id'),
});

export const crewRules: fc.Arbitrary<CrewRulesSpec> = fc.record({
  ...CONDITIONED,
  tasks: fc.array(task, { maxLength: 3, size: '+1' }),
  matchTitles: fc.boolean(),
});

/** What the bot is configured with. */
export function policyOf(spec: CrewRulesSpec): CrewPolicy {
  return {
    ...DEFAULT_POLICY,
    ...conditionedOf(spec),
    tasks: spec.tasks.map((each) => ({
      ...DEFAULT_POLICY,
      ...conditionedOf(each),
      match: each.pattern,
      looksAt: each.looksAt,
    })),
    inputs: { amount: 'number', owner: 'text' },
    matchTitles: spec.matchTitles,
  };
}

function conditionedOf({ when, ...plain }: ConditionedRules): Policy & Pick<CrewPolicy, 'when'> {
  return {
    ...plainOf(plain),
    when: when.map(({ if: test, ...rules }) => ({ ...plainOf(rules), condition: conditionOf(test) })),
  };
}

function plainOf({ steps, selfApproval, guests, delegation, stepUp }: PlainRules): Policy {
  const shared = { ...DEFAULT_POLICY, selfApproval, guests, delegation, stepUp, undoMs: UNDO_MS };
  const { stages: _, stage: _at, ...settings } = shared;
  const stages = steps.map(
    ({ approvers, quorum, allOf, escalateTo }, i): StagePolicy => ({
      ...settings,
      name: `Stage ${i + 1}`,
      approvers: named(approvers),
      quorum,
      allOf: named(allOf),
      escalateTo: named(escalateTo),
      escalateAfterMs: escalateTo.length > 0 ? ESCALATE_MS : null,
    }),
  );
  const [first] = stages;
  if (!first) throw new Error('There are no rules without a step.');
  const { name: _name, ...only } = first;
  return { ...shared, ...only, stages: stages.length > 1 ? stages : [], stage: 0 };
}

function named(names: readonly string[]): Approver[] {
  return names.flatMap((name) => parseApprover(name) ?? []);
}

function conditionOf(test: Test): Condition {
  return {
    text: JSON.stringify(test),
    sees: [test.sees],
    holds: (values) => holds(test, values.get(test.sees) ?? null),
  };
}

/** Null where the value isn't known. */
export function holds(test: Test, value: string | number | boolean | null): boolean | null {
  if (value === null) return null;
  return 'over' in test ? Number(value) > test.over : value === test.is;
}
