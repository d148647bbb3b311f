import type { Refusal } from '../../core/approval/refusal.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { refusalFacts } from '../interaction/log-facts.ts';
import type { Submission } from '../interaction/submission.ts';
import type { Say } from '../language/say.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import { explainRefusal } from './explain-refusal.ts';
import { feedbackBlockIn } from './feedback-draft.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';

/** Tells only the person who clicked why nothing happened, and what they can do about it. */
export async function tellRefusal(context: ListenerContext, click: Click, refusal: Refusal): Promise<void> {
  context.addToLog(refusalFacts(refusal));
  const asked = { you: click.actor.person, value: click.value };
  const { text, next } = await explainRefusal(context, asked, refusal);
  const title = (await context.say())('answer.no-change');
  await tell(context, click, { title, text, next });
}

/** The answer to a modal whose decision was refused. People get back what they typed; null if there was nothing to type. */
export async function refusalAnswer(
  context: ListenerContext,
  { view, actor }: Submission,
  { refusal, typed }: { refusal: Refusal; typed: string | null },
): Promise<SubmissionAnswer> {
  context.addToLog(refusalFacts(refusal));
  const say = await context.say();
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return strangerAnswer(say);
  if (refusal.kind === 'feedback-missing')
    return { kind: 'errors', errors: { [feedbackBlockIn(view.values)]: say('refusal.feedback-missing-here') } };
  const { text, next } = await explainRefusal(context, { you: actor.person, value: view.metadata }, refusal);
  const more = nextStepButtons(next, say);
  return typed === null
    ? { kind: 'update', view: answerModal(say, { title: say('answer.no-change'), text, more }) }
    : { kind: 'update', view: lateFeedbackModal(text, { typed, more }, say) };
}

export function strangerAnswer(say: Say): SubmissionAnswer {
  return { kind: 'update', view: answerModal(say, { title: say('answer.no-change'), text: say('denial.stranger') }) };
}
