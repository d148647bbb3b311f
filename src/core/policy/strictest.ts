// Rules of which nobody can tell which apply, since a value is missing: all of them have to be met.

import type { Millis } from '../values/time.ts';
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
  const steps = together(stepsOf(one), stepsOf(other)).map((step) => ({ ...step, ...common }));
  const [only] = steps;
  if (steps.length > 1 || only === undefined) return { ...one, ...common, stages: steps };
  const { name: _, ...rules } = only;
  return one.stages.length > 0 ? { ...one, ...common, stages: steps } : { ...rules, stages: [], stage: 0 };
}

/** Those of one and those of the other; where both have a step of the same people, it is one. */
function together(steps: readonly StagePolicy[], others: readonly StagePolicy[]): readonly StagePolicy[] {
  const left = [...others];
  const merged = steps.map((step) => {
    const same = left.find((each) => isSamePeople(each, step));
    if (!same) return step;
    left.splice(left.indexOf(same), 1);
    return bothOf(step, same);
  });
  return [...merged, ...left];
}

function isSamePeople(one: StagePolicy, other: StagePolicy): boolean {
  return isSameList(one.approvers, other.approvers) && isSameList(one.escalateTo, other.escalateTo);
}

function bothOf(one: StagePolicy, other: StagePolicy): StagePolicy {
  const added = other.allOf.filter(({ name }) => one.allOf.every((each) => each.name !== name));
  return {
    ...one,
    quorum: Math.max(one.quorum, other.quorum),
    allOf: [...one.allOf, ...added],
    escalateAfterMs: later(one.escalateAfterMs, other.escalateAfterMs),
  };
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
