// Rules of which nobody can tell which apply, since a value is missing: all of them have to be met.

import type { Millis } from '../../time.ts';
import { looserIn } from './loosening.ts';
import { type Approver, type Comment, DELEGATION, type Policy, type StagePolicy, stepsOf } from './policy.ts';

/**
 * The rules by which nothing is approved that one of these wouldn't let pass. Where some of them are stricter than others, they are
 * enough; otherwise each of them has to be met, whoever else may decide by it.
 */
export function strictest(rules: readonly Policy[]): Policy {
  const needed = rules.filter(
    (each, i) => !rules.some((other, j) => isEnough(other, each) && (j < i || !isEnough(each, other))),
  );
  return needed.reduce(stricter);
}

function isEnough(rules: Policy, others: Policy): boolean {
  return rules !== others && looserIn(rules, others).length === 0;
}

function stricter(one: Policy, other: Policy): Policy {
  const common = {
    selfApproval: one.selfApproval && other.selfApproval,
    guests: one.guests && other.guests,
    delegation: earlier(DELEGATION, one.delegation, other.delegation),
    stepUp: one.stepUp || other.stepUp,
    undoMs: Math.max(one.undoMs, other.undoMs),
    minReviewMs: Math.max(one.minReviewMs, other.minReviewMs),
    comment: {
      approve: stricterComment(one.comment.approve, other.comment.approve),
      reject: stricterComment(one.comment.reject, other.comment.reject),
    },
  };
  const steps = stepsOf(other)
    .reduce(withStep, stepsOf(one))
    .map((step) => ({ ...step, ...common }));
  const [only] = steps;
  if (steps.length > 1 || only === undefined) return { ...one, ...common, stages: steps };
  const { name: _, ...rules } = only;
  return one.stages.length > 0 ? { ...one, ...common, stages: steps } : { ...rules, stages: [], stage: 0 };
}

/** Steps of the same people become one. */
function withStep(steps: readonly StagePolicy[], step: StagePolicy): readonly StagePolicy[] {
  const isSame = (each: StagePolicy) =>
    isSameList(each.approvers, step.approvers) && isSameList(each.escalateTo, step.escalateTo);
  const place = steps.findIndex(isSame);
  const known = steps[place];
  if (!known) return [...steps, step];
  const added = step.allOf.filter(({ name }) => known.allOf.every((each) => each.name !== name));
  return steps.with(place, {
    ...known,
    quorum: Math.max(known.quorum, step.quorum),
    allOf: [...known.allOf, ...added],
    escalateAfterMs: later(known.escalateAfterMs, step.escalateAfterMs),
  });
}

/** Null is never. */
function later(one: Millis | null, other: Millis | null): Millis | null {
  return one === null || other === null ? null : Math.max(one, other);
}

function isSameList(one: readonly Approver[], other: readonly Approver[]): boolean {
  return one.length === other.length && one.every(({ name }) => other.some((each) => each.name === name));
}

/** `none` lets people write nothing, which asks less of them than `required`, and takes more from them than `optional`. */
function stricterComment(one: Comment, other: Comment): Comment {
  if (one === other) return one;
  return one === 'required' || other === 'required' ? 'required' : one;
}

function earlier<Each>(order: readonly Each[], one: Each, other: Each): Each {
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}
