import type { Execution, NextStep, PrivateAnswer } from '../state/execution.ts';
import { backoffMs, type Millis } from '../values/time.ts';

/** A private answer, and for whom and where it is meant. */
export type UntoldAnswer = Omit<PrivateAnswer, 'tries' | 'notBefore' | 'until'>;

/** The next step below an answer that leaves the person nothing to do. */
export const NO_STEP: NextStep = { kind: 'none' };

/** `never`: Slack won't take it from us, such as for a person who has left the channel. */
export type AnswerOutcome = 'told' | 'later' | 'never';

/** Later, nobody would know any more what an answer is about. */
const PATIENCE_MS = 60_000;
/** Longer than a call may take: the process that makes it may die. */
const CALL_MS = 12_000;
export const ANSWER_RETRY = { firstMs: 1_000, mostMs: 10_000 };

/** The answer will be given by direct message as soon as Slack takes it; it replaces an earlier one to the same person. */
export function keepAnswer(execution: Execution, answer: UntoldAnswer, now: Millis): Execution {
  const dueAnswer: PrivateAnswer = {
    ...answer,
    tries: 0,
    notBefore: now + ANSWER_RETRY.firstMs,
    until: now + PATIENCE_MS,
  };
  return withAnswer(execution, answer.to, dueAnswer);
}

/** Claims the next try, and forgets an answer that it is too late for. Returns the same execution if it isn't due. */
export function claimAnswer(execution: Execution, to: string, now: Millis): Execution {
  const answer = answerTo(execution, to);
  if (!answer || now < answer.notBefore) return execution;
  if (now >= answer.until) return withAnswer(execution, to, null);
  return withAnswer(execution, to, { ...answer, tries: answer.tries + 1, notBefore: now + CALL_MS });
}

/** Records how a try went, unless another answer has taken the place of this one. */
export function settleAnswer(
  execution: Execution,
  tried: PrivateAnswer,
  outcome: AnswerOutcome,
  now: Millis,
): Execution {
  const { to, until, tries } = tried;
  const answer = answerTo(execution, to);
  if (answer?.until !== until || answer.tries !== tries) return execution;
  const next = outcome !== 'later' ? null : { ...answer, notBefore: now + backoffMs(tries, ANSWER_RETRY) };
  return withAnswer(execution, to, next);
}

export function answerTo({ privateAnswers }: Execution, to: string): PrivateAnswer | null {
  return privateAnswers.find((each) => each.to === to) ?? null;
}

function withAnswer(execution: Execution, to: string, answer: PrivateAnswer | null): Execution {
  const others = execution.privateAnswers.filter((each) => each.to !== to);
  return { ...execution, privateAnswers: answer ? [...others, answer] : others };
}
