// Compares rules that replace others. The person who starts a run chooses its inputs, so a condition on inputs must not let pass what
// the rules around it stop; the start of the bot and `npm run policy` warn about that.

import { type Approver, COMMENT, DELEGATION, type Policy, type StagePolicy, stepsOf } from './policy.ts';

/** A setting by which rules can be looser than the rules that they replace. */
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

/** Returns the settings by which `rules` may be looser than `others`. Groups count by their names, since only Slack knows their members. */
export function looserIn(rules: Policy, others: Policy): Loosening[] {
  return [...looserSteps(rules, others), ...looserSettings(rules, others)];
}

/** The settings that each stage has for itself. */
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

/** Rules with stages aren't looser if they contain a step at least as strict as each of the others, in the same order. */
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
  // An earlier escalation lets more people in sooner.
  if (addsMs !== null && (othersMs === null || addsMs < othersMs)) looser.push('escalate_after');
  if (!step.escalateTo.every((each) => isAmong(each, later, other))) looser.push('escalate_to');
  return looser;
}

/** Returns true if the people behind an approver are surely among those behind `names`: it is one of these, or they include the workspace. */
function isAmong(approver: Approver, names: readonly Approver[], { guests }: Pick<StagePolicy, 'guests'>): boolean {
  if (names.some(({ name }) => name === approver.name)) return true;
  // An id may be a guest's or a stranger's, who aren't members of the workspace.
  return names.some(({ kind }) => kind === 'workspace') && !(guests && approver.kind === 'person');
}
