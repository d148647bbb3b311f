// The settings of a request that can only have one value, whichever of its possible rules turn out to apply.

import { verdictOf } from './outcomes.ts';
import type { Comment, FeedbackTemplate, Policy } from './policy.ts';

type Settings = Pick<
  Policy,
  'undoMs' | 'minReviewMs' | 'comment' | 'approveMeans' | 'templates' | 'onDecline' | 'onExpiry'
>;

/** The strictest of each: people get the most time and write the most, and the crew is told nothing that one of the rules keeps. */
export function settingsOf(policies: readonly Policy[]): Settings {
  const [only, ...others] = policies;
  if (only && others.length === 0) return only;
  return {
    undoMs: Math.max(0, ...policies.map(({ undoMs }) => undoMs)),
    minReviewMs: Math.max(0, ...policies.map(({ minReviewMs }) => minReviewMs)),
    comment: {
      approve: strictestComment(policies.map(({ comment }) => comment.approve)),
      reject: strictestComment(policies.map(({ comment }) => comment.reject)),
    },
    approveMeans: sameMeaning(policies),
    templates: templatesOf(policies),
    onDecline: policies.every(({ onDecline }) => onDecline === 'reject') ? 'reject' : 'close',
    onExpiry: policies.every(({ onExpiry }) => onExpiry === 'reject') ? 'reject' : 'close',
  };
}

/** `none` lets people write nothing, which asks less of them than `required`, and takes more from them than `optional`. */
function strictestComment(comments: readonly Comment[]): Comment {
  if (comments.includes('required')) return 'required';
  return comments.includes('none') ? 'none' : 'optional';
}

/** Null where the rules don't say the same of what approving does, as it isn't known yet which of them is right. */
function sameMeaning(policies: readonly Policy[]): string | null {
  const [first = null, ...others] = new Set(policies.map(({ approveMeans }) => approveMeans));
  return others.length === 0 ? first : null;
}

/** Those of all rules, each name once. */
function templatesOf(policies: readonly Policy[]): FeedbackTemplate[] {
  const all = policies.flatMap(({ templates }) => templates);
  return [...new Map(all.toReversed().map((template) => [template.name, template])).values()].reverse();
}

/** Which verdict an outcome is: an approval, if it is one by any of the possible rules. */
export function verdictUnder(outcome: string, policies: readonly Policy[]): 'approve' | 'reject' {
  return policies.some((policy) => verdictOf(outcome, policy) === 'approve') ? 'approve' : 'reject';
}
