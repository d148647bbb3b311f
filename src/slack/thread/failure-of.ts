import { WebAPIRateLimitedError } from '@slack/web-api';
import type { Message } from '../../core/messages/message.ts';
import type { PostOutcome } from '../../core/messages/post.ts';
import { isTokenError, mayPassSoon, outcomeOf, slackErrorName } from '../api/errors.ts';

/**
 * What a failed call means for a message. A channel may take it later; a person who gets no direct messages from us, such as one
 * who has left, won't.
 */
export function failureOf(error: unknown, { kind }: Message): PostOutcome {
  const outcome = outcomeOf(error);
  const isRefused = !(error instanceof WebAPIRateLimitedError) && !mayPassSoon(error);
  const isAboutPerson = isRefused && !isTokenError(slackErrorName(error));
  return kind === 'direct-message' && isAboutPerson ? { kind: 'gone' } : outcome;
}
