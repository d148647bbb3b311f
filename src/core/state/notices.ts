import { fingerprint } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import type { Alert, Person } from './approval.ts';
import { duePost, type Post } from './post.ts';

/** A direct message of one line to somebody who would miss what the thread says. It is posted once, and never updated. */
export interface Notice {
  /** '1', '2', … within its execution. */
  id: string;
  /** The id of the person. */
  to: string;
  about: NoticeSubject;
  post: Post;
}

export type NoticeSubject =
  /** A reply that mentions people who can decide. */
  | { kind: 'alert'; approvalId: string; alert: Alert['kind']; by: Person | null }
  /** The person's decision didn't reach the crew. */
  | { kind: 'unsent'; approvalId: string }
  /** The run has ended. */
  | { kind: 'ended' };

/** More are never owed at once, but for those that nobody is told any more. */
const MOST_KEPT = 200;

/** With one for each of these people. Those that are over are forgotten, and what wasn't sent isn't told twice. */
export function withNotices(
  notices: readonly Notice[],
  to: readonly string[],
  about: NoticeSubject,
  now: Millis,
): readonly Notice[] {
  if (to.length === 0) return notices;
  const last = Number(notices.at(-1)?.id ?? 0);
  const kept = notices.filter(({ post, to: person, about: subject }) => {
    const isOver = post.status === 'posted' || post.status === 'gone';
    const isRepeated = post.status === 'due' && to.includes(person) && fingerprint(subject) === fingerprint(about);
    return !isOver && !isRepeated;
  });
  const added = to.map((person, i): Notice => ({ id: String(last + 1 + i), to: person, about, post: duePost(now) }));
  return [...kept, ...added].slice(-MOST_KEPT);
}
