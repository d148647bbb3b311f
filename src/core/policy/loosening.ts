// Whoever starts a run chooses its inputs, so that a condition must not let anything pass that the rules around it stop.

import { type Approver, COMMENT, DELEGATION, type Policy, type StagePolicy, stepsOf } from './policy.ts';

/** The settings by which rules that replace others are looser than those; none where they can only be stricter. */
export type Loosening =
  | 'approvers'
  | 'quorum'
  | 'all_of'
  | 'stages'
  | 'self_approval'
  | 'guests'
  | 'delegation'
  | 'undo'
  | 'min_review'
  | 'escalate_after'
  | 'escalate_to'
  | 'comment'
  | 'step_up';

/** In what some rules may let something pass that others stop; as far as their names tell, since groups are known to Slack alone. */
export function looserIn(rules: Policy, others: Policy): Loosening[] {
  return [...looserSteps(rules, others), ...looserSettings(rules, others)];
}

/** What stages have of their own. */
type OfSteps = 'approvers' | 'quorum' | 'all_of' | 'stages' | 'escalate_after' | 'escalate_to';

function looserSettings(rules: Policy, others: Policy): Loosening[] {
  const isLooser: Record<Exclude<Loosening, OfSteps>, boolean> = {
    self_approval: rules.selfApproval && !others.selfApproval,
    guests: rules.guests && !others.guests,
    delegation: DELEGATION.indexOf(rules.delegation) > DELEGATION.indexOf(others.delegation),
    undo: rules.undoMs < others.undoMs,
    min_review: rules.minReviewMs < others.minReviewMs,
    comment: (['approve', 'reject'] as const).some((verdict) => {
      const [now, before] = [rules.comment[verdict], others.comment[verdict]];
      return before === 'required' && COMMENT.indexOf(now) !== COMMENT.indexOf(before);
    }),
    step_up: !rules.stepUp && others.stepUp,
  };
  return Object.entries(isLooser).flatMap(([setting, is]) => (is ? [setting as keyof typeof isLooser] : []));
}

/** Each step has to be taken by the same people, or fewer, and at least as many of them, and in their order; others may come between. */
function looserSteps(rules: Policy, others: Policy): Loosening[] {
  const [steps, needed] = [stepsOf(rules), stepsOf(others)];
  if (steps.length === 1 && needed.length === 1) {
    const [step, other] = [steps[0], needed[0]];
    return step && other ? looserStep(step, other) : [];
  }
  let at = 0;
  for (const step of steps) {
    const next = needed[at];
    if (next && looserStep(step, next).length === 0) at += 1;
  }
  return at < needed.length ? ['stages'] : [];
}

function looserStep(step: StagePolicy, other: StagePolicy): Loosening[] {
  const looser: Loosening[] = [];
  const later = [...other.approvers, ...other.escalateTo];
  if (!step.approvers.every((each) => isAmong(each, other.approvers, other))) looser.push('approvers');
  if (step.quorum < other.quorum) looser.push('quorum');
  if (!other.allOf.every(({ name }) => step.allOf.some((each) => each.name === name))) looser.push('all_of');
  const [addsMs, othersMs] = [step.escalateAfterMs, other.escalateAfterMs];
  // People are let in, too, after a time in which the others stay among themselves.
  if (addsMs !== null && (othersMs === null || addsMs < othersMs)) looser.push('escalate_after');
  if (!step.escalateTo.every((each) => isAmong(each, later, other))) looser.push('escalate_to');
  return looser;
}

/** Whether a name can only stand for people whom these names stand for: it is one of them, or they have all members of the workspace. */
function isAmong(approver: Approver, names: readonly Approver[], { guests }: Pick<StagePolicy, 'guests'>): boolean {
  if (names.some(({ name }) => name === approver.name)) return true;
  // Guests and people of other organisations, whom only their ids let in, aren't members.
  return names.some(({ kind }) => kind === 'workspace') && !(guests && approver.kind === 'person');
}
