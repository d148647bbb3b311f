import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Refusal } from '../../core/approval/refusal.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ViewAnswer } from '../interaction/listeners.ts';
import { refusalFacts } from '../interaction/log-facts.ts';
import { updateModal } from '../interaction/modals.ts';
import type { Say } from '../language/say.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { nextStepButtons } from '../ui/next-step.ts';
import { explainRefusal } from './explain-refusal.ts';
import { feedbackBlockIn } from './feedback-draft.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';
import { nextRequestBlocks } from './next-request.ts';

/**
 * Tells only the person who clicked why nothing happened, and what they can do about it; in place of the text that they were
 * reading if there is nothing left to decide about it.
 */
export async function tellRefusal(context: ListenerContext, click: Click, refusal: Refusal): Promise<void> {
  context.addToLog(refusalFacts(refusal));
  const asked = { you: context.person, value: click.value };
  const { text, next } = await explainRefusal(context, asked, refusal);
  const say = await context.say();
  const title = say('answer.no-change');
  const { isRead } = parseApprovalValue(click.value) ?? {};
  if (click.view && isRead && isOver(refusal)) {
    const more = [...nextStepButtons(next, say), ...(await nextAfter(context, click))];
    const view = answerModal(say, { title, text, more });
    if (await updateModal(context, { viewId: click.view.id }, view)) return;
  }
  await tell(context, click, { title, text, next });
}

async function nextAfter(context: ListenerContext, { value }: Click): Promise<KnownBlock[]> {
  const seen = parseApprovalValue(value);
  return seen ? nextRequestBlocks(context, { personId: context.person.id, seen }) : [];
}

/** Whether nobody can decide any more on what they were reading. */
function isOver({ kind }: Refusal): boolean {
  return kind === 'already-decided' || kind === 'superseded' || kind === 'expired' || kind === 'other-text';
}

/** The answer to a modal whose decision was refused. People get back what they typed; null if there was nothing to type. */
export async function refusalAnswer(
  context: ListenerContext,
  view: ViewOutput,
  { refusal, typed }: { refusal: Refusal; typed: string | null },
): Promise<ViewAnswer> {
  context.addToLog(refusalFacts(refusal));
  const say = await context.say();
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return strangerAnswer(say);
  if (refusal.kind === 'feedback-missing')
    return {
      response_action: 'errors',
      errors: { [feedbackBlockIn(view.state.values)]: say('refusal.feedback-missing-here') },
    };
  const { text, next } = await explainRefusal(context, { you: context.person, value: view.private_metadata }, refusal);
  const more = nextStepButtons(next, say);
  return typed === null
    ? { response_action: 'update', view: answerModal(say, { title: say('answer.no-change'), text, more }) }
    : { response_action: 'update', view: lateFeedbackModal(text, { typed, more }, say) };
}

export function strangerAnswer(say: Say): ViewAnswer {
  return {
    response_action: 'update',
    view: answerModal(say, { title: say('answer.no-change'), text: say('denial.stranger') }),
  };
}
