import type { Refusal } from '../../core/approval/refusal.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { FEEDBACK_BLOCK } from './feedback-modal.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';
import { refusalText, STRANGERS_MAY_NOT } from './refusal-text.ts';

const TITLE = 'Nothing was changed';

/** Tells only the person who clicked why nothing happened. */
export async function tellRefusal(context: ListenerContext, click: Click, refusal: Refusal): Promise<void> {
  const by = refusal.kind === 'already-decided' ? refusal.decision.by : null;
  await tell(context, click, { title: TITLE, text: refusalText(refusal, await context.namesOf(by)) });
}

/** The answer to a modal whose decision was refused. People get back what they typed. */
export async function refusalAnswer(
  { namesOf }: ListenerContext,
  refusal: Refusal,
  typed: string,
): Promise<SubmissionAnswer> {
  switch (refusal.kind) {
    case 'denied':
      if (refusal.denial.kind === 'stranger') return STRANGER_ANSWER;
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf()) };
    case 'feedback-missing':
      return { kind: 'errors', errors: { [FEEDBACK_BLOCK]: 'Please write what should be better.' } };
    case 'already-decided':
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf(refusal.decision.by)) };
    case 'cannot-take-over':
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf(refusal.to)) };
    case 'unknown':
    case 'facts-needed':
    case 'expired':
    case 'too-soon':
    case 'no-vote':
    case 'asked-lately':
    case 'superseded':
    case 'notes-not-taken':
    case 'nothing-to-send':
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf()) };
  }
}

export const STRANGER_ANSWER: SubmissionAnswer = { kind: 'update', view: answerModal(TITLE, STRANGERS_MAY_NOT) };
