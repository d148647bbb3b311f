import type { Message } from '../../core/messages/message.ts';
import type { PostOutcome } from '../../core/messages/post.ts';
import { mayPassSoon, outcomeOf } from '../api/errors.ts';

/**
 * What a failed call means for a message. A channel may take it later; a person who gets no direct messages from us, such as one
 * who has left, won't.
 */
export function failureOf(error: unknown, { kind }: Message): PostOutcome {
  const outcome = outcomeOf(error);
  return kind === 'direct-message' && !mayPassSoon(error) ? { kind: 'gone' } : outcome;
}
