// Settings that must have one value for a request although several rules may apply: the strictest of each counts.

import { verdictOf } from './outcomes.ts';
import type { Comment, FeedbackTemplate, Policy } from './policy.ts';

type Settings = Pick<
  Policy,
  'undoMs' | 'minReviewMs' | 'comment' | 'approveMeans' | 'templates' | 'onDecline' | 'onExpiry'
>;

/** Returns the strictest of each: people get the most time and write the most, and the crew learns only what every rule lets it learn. */
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

/** Returns the strictest setting: `required`, then `none`, by which people can't write anything, then `optional`. */
function strictestComment(comments: readonly Comment[]): Comment {
  if (comments.includes('required')) return 'required';
  return comments.includes('none') ? 'none' : 'optional';
}

/** Returns null where the rules describe the effect of approving differently, since it isn't known yet which of them is right. */
function sameMeaning(policies: readonly Policy[]): string | null {
  const [first = null, ...others] = new Set(policies.map(({ approveMeans }) => approveMeans));
  return others.length === 0 ? first : null;
}

/** Returns the templates of all rules, each name once. */
function templatesOf(policies: readonly Policy[]): FeedbackTemplate[] {
  const all = policies.flatMap(({ templates }) => templates);
  return [...new Map(all.toReversed().map((template) => [template.name, template])).values()].reverse();
}

/** Returns the verdict that an outcome stands for: an approval if it is one by any of the possible rules. */
export function verdictUnder(outcome: string, policies: readonly Policy[]): 'approve' | 'reject' {
  return policies.some((policy) => verdictOf(outcome, policy) === 'approve') ? 'approve' : 'reject';
}
