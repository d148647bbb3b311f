import type { Refusal } from '../../core/approval/decide.ts';
import { learnCopy } from '../../core/messages/delivery.ts';
import { ok } from '../../core/result.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { FEEDBACK_BLOCK } from './feedback-modal.ts';
import { lateFeedbackModal } from './late-feedback-modal.ts';
import { refusalText, STRANGERS_MAY_NOT } from './refusal-text.ts';

const TITLE = 'Nothing was changed';

/** Tells only the person who clicked why nothing happened, and brings the card they clicked up to date. */
export async function tellRefusal(context: ListenerContext, click: Click, refusal: Refusal): Promise<void> {
  const by = refusal.kind === 'already-decided' ? refusal.decision.by : null;
  await tell(context, click, { title: TITLE, text: refusalText(refusal, await context.namesOf(by)) });
  await recordCopy(context, click);
}

/** A click may come from a copy of the card that we don't know yet. https://docs.slack.dev/messaging/sending-and-scheduling-messages */
async function recordCopy(context: ListenerContext, { value, message }: Click): Promise<void> {
  const key = parseApprovalValue(value);
  if (!key || !message) return;
  const { ref, approvalId } = key;
  const changed = await context.store.change(ref, (execution, now) =>
    ok(learnCopy(execution, { approvalId, ts: message.ts }, now)),
  );
  if (changed.kind === 'changed') context.wake(ref);
}

/** The answer to a modal whose decision was refused. People get back what they typed. */
export async function refusalAnswer(
  { namesOf }: ListenerContext,
  refusal: Refusal,
  typed: string,
): Promise<SubmissionAnswer> {
  switch (refusal.kind) {
    case 'stranger':
      return STRANGER_ANSWER;
    case 'feedback-missing':
      return { kind: 'errors', errors: { [FEEDBACK_BLOCK]: 'Please write what should be better.' } };
    case 'already-decided':
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf(refusal.decision.by)) };
    case 'unknown':
    case 'superseded':
    case 'notes-not-taken':
    case 'nothing-to-send':
      return { kind: 'update', view: lateFeedbackModal(refusal, typed, await namesOf()) };
  }
}

export const STRANGER_ANSWER: SubmissionAnswer = { kind: 'update', view: answerModal(TITLE, STRANGERS_MAY_NOT) };
