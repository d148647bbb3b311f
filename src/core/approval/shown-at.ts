import { tsOf } from '../messages/post.ts';
import type { Millis } from '../time.ts';
import type { Approval } from './approval.ts';

/** Since when people can have read a request: Slack's time of its card, or when it was asked. */
export function shownAt({ card, askedAt }: Approval): Millis {
  const ts = tsOf(card);
  return ts === null ? askedAt : Math.max(askedAt, Math.floor(Number(ts) * 1000));
}
