import { z } from 'zod';
import { type Approver, parseApprover } from '../core/approval/policy/approver.ts';

const SHAPES =
  'must be a person (U0123ABC or maria@example.com), a user group (S0456DEF or "@leads"), channel or workspace';

/** @param rule what to say of a name that stands for nobody, or for more than a person where only people may be named */
function approverNamed(rule: string, kinds?: readonly Approver['kind'][]) {
  return z.string(rule).transform((name, context): Approver => {
    const approver = parseApprover(name);
    if (approver && (kinds?.includes(approver.kind) ?? true)) return approver;
    // A union tells of this mistake, rather than of its own, if this is the only one.
    context.issues.push({ code: 'custom', message: rule, input: name, continue: true });
    return z.NEVER;
  });
}

/** People as a policy names them. */
export const APPROVERS = z
  .array(approverNamed(SHAPES), { error: 'must be a list such as [U0123ABC, "@leads"]' })
  .min(1, 'is an empty list: name who may, or leave it out');

/** Who counts as having started a run that was started elsewhere, or that such runs are refused. */
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
