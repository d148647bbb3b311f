import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { AnswerOutcome, UntoldAnswer } from '../../core/messages/private-answers.ts';
import { mayPassSoon } from '../api/errors.ts';
import { postPrivately } from '../api/post-privately.ts';
import type { Say } from '../language/say.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { nextStepButtons } from '../ui/next-step.ts';

/** Answers a person in a message that only they see, with what they can do about it. Never throws. */
export async function giveAnswer(
  { client, log, say }: { client: WebClient; log: Logger; say: () => Promise<Say> },
  { to: user, channel, threadTs, text, next }: UntoldAnswer,
): Promise<AnswerOutcome> {
  try {
    await postPrivately(client, { channel, user, threadTs }, answerMessage(text, nextStepButtons(next, await say())));
    return 'told';
  } catch (error) {
    log.warn({ err: error }, 'could not answer a person privately');
    return mayPassSoon(error) ? 'later' : 'never';
  }
}
