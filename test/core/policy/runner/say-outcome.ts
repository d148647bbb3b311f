import { requestFactsOf } from '../../../../src/core/policy/condition.ts';
import { type PossibleRules, possibleRules } from '../../../../src/core/policy/in-force.ts';
import type { Denial } from '../../../../src/core/policy/permits.ts';
import { approvalsNeeded, type Policy } from '../../../../src/core/policy/policy.ts';
import { votesNow } from '../../../../src/core/policy/progress.ts';
import type { Refusal } from '../../../../src/core/policy/refusal.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import type { HumanRequest, Vote } from '../../../../src/core/state/request.ts';
import type { Result } from '../../../../src/core/values/result.ts';
import { approvalIn, type Scene } from './scene.ts';

/** What has come of an action, in the words of the table. */
export function sayOutcome({ execution, policy }: Scene, result: Result<Execution, Refusal>): string {
  if (!result.ok) return `refused: ${sayRefusal(result.refusal)}`;
  if (result.value === execution) return 'nothing changes';
  if (result.value.unfollowed && !execution.unfollowed) return 'stops following';
  const [before, after] = [approvalIn(execution), approvalIn(result.value)];
  if (before.state.status !== after.state.status) return sayStatus(before, after);
  const text = sayText(before, after);
  if (after.discussion.handedOver.length > before.discussion.handedOver.length) return 'handed over';
  const areOther =
    after.discussion.stages !== before.discussion.stages &&
    after.discussion.stages.length + before.discussion.stages.length > 0;
  if (areOther) return `next stage: ${stageNow(policy, result.value, after)}${text}`;
  if (text === '' && after.discussion.alerts.length > before.discussion.alerts.length)
    return `asks ${after.discussion.alerts.at(-1)?.mentions.join(' ') || 'nobody by name'}`;
  const rules = possibleRules(policy, requestFactsOf(execution, after));
  return rules
    .map((each) => `${countingBy(each, after)} of ${approvalsNeeded(each)}${stageIn(each)}${text}`)
    .join(', ');
}

/** Whose text it is about, where anybody has edited that of the crew. */
function sayText(before: HumanRequest, { question: { edited } }: HumanRequest): string {
  if (edited) return ` for the text of ${edited.by.name}`;
  return before.question.edited ? ' for the text of the crew' : '';
}

function stageNow(policy: Scene['policy'], execution: Execution, request: HumanRequest): string {
  const rules = possibleRules(policy, requestFactsOf(execution, request));
  return rules.map(({ stages, stage }) => stages[stage]?.name ?? 'only one').join(', ');
}

function countingBy(rules: PossibleRules, request: HumanRequest): number {
  const counts = ({ under }: Vote) => !under || under.some(({ place }) => place === rules.place);
  return votesNow(request.discussion, rules).filter(counts).length;
}

function stageIn({ stages, stage }: Policy): string {
  const name = stages[stage]?.name;
  return name === undefined ? '' : ` in ${name}`;
}

function sayStatus(before: HumanRequest, after: HumanRequest): string {
  if (before.state.status === 'failed') return 'sent again';
  const text = sayText(before, after).replace(' for', '');
  if (after.state.status === 'pending') return text === '' ? 'waits again' : `waits again about${text}`;
  if (after.state.status !== 'decided') return after.state.status;
  const verb = { approve: 'approves', reject: 'rejects', decline: 'declines' }[after.state.decision.verdict];
  return after.state.undoUntil === null ? `${verb}${text}` : `${verb}${text}, can be undone`;
}

function sayRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'denied':
      return sayDenial(refusal.denial);
    case 'already-decided':
      return refusal.decision.by ? `${refusal.decision.by.name} has decided` : 'nobody has decided in time';
    case 'superseded':
      return refusal.by;
    case 'lent-right':
      return `${refusal.giver.name} lent that right`;
    case 'cannot-take-over':
      return `${refusal.to.name} is barred, ${sayDenial(refusal.denial)}`;
    case 'unknown':
    case 'crew-missing':
    case 'other-text':
    case 'facts-needed':
    case 'expired':
    case 'too-soon':
    case 'sign-in-needed':
    case 'feedback-missing':
    case 'reason-missing':
    case 'note-missing':
    case 'feedback-not-taken':
    case 'notes-not-taken':
    case 'outcome-needed':
    case 'other-outcome':
    case 'answer-needed':
    case 'other-answer':
    case 'nothing-to-send':
    case 'no-vote':
    case 'no-decision':
    case 'no-delegation':
    case 'asked-lately':
    case 'nobody-left':
      return refusal.kind;
  }
}

function sayDenial(denial: Denial): string {
  switch (denial.kind) {
    case 'unsure':
      return `Slack can't tell ${denial.approver === null ? `who ${denial.personId} is` : `who is in ${denial.approver}`}`;
    case 'self-approval':
      return 'own run';
    case 'giver-denied':
      return `${denial.giver} may no longer`;
    case 'no-delegation':
      return denial.allowed === 'none' ? 'delegation is none' : 'not named';
    case 'right-used':
      return `${denial.by} has used that right`;
    case 'stranger':
    case 'guest':
    case 'bot':
    case 'deactivated':
    case 'not-approver':
    case 'no-token':
      return denial.kind;
  }
}
