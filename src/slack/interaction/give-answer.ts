import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { AnswerOutcome, UntoldAnswer } from '../../core/messages/private-answers.ts';
import { mayPassSoon } from '../api/errors.ts';
import { postPrivately } from '../api/post-privately.ts';
import { answerMessage } from '../ui/answer-modal.ts';

/** Answers a person in a message that only they see, with what else there is to do. Never throws. */
export async function giveAnswer(
  { client, log }: { client: WebClient; log: Logger },
  { to: user, channel, threadTs, text }: UntoldAnswer,
  more: readonly KnownBlock[] = [],
): Promise<AnswerOutcome> {
  try {
    await postPrivately(client, { channel, user, threadTs }, answerMessage(text, more));
    return 'told';
  } catch (error) {
    log.warn({ err: error }, 'could not answer a person privately');
    return mayPassSoon(error) ? 'later' : 'never';
  }
}
