import { fingerprint } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import { addMessages, type Message, type Messages, postOf, withoutMessages } from './message.ts';
import { duePost, isOver } from './post.ts';
import type { Alert, Person } from './request.ts';

/** A direct message of one line to somebody who would miss what the thread says. It is posted once, and never updated. */
export interface Notice {
  /** '1', '2', … within its execution. */
  id: string;
  /** The id of the person. */
  to: string;
  about: NoticeSubject;
}

export type NoticeSubject =
  /** A reply that mentions people who can decide. */
  | { kind: 'alert'; approvalId: string; alert: Alert['kind']; by: Person | null }
  /** The person's decision didn't reach the crew. */
  | { kind: 'unsent'; approvalId: string }
  /** The run has ended. */
  | { kind: 'ended' };

/** More notices than ever wait to be posted at once, apart from those that are out of date and stay unposted. */
const MOST_KEPT = 200;

/** Adds a notice for each of these people. Notices that are posted are forgotten, and one that wasn't sent yet isn't repeated. */
export function withNotices<Run extends { notices: readonly Notice[]; messages: Messages }>(
  execution: Run,
  to: readonly string[],
  about: NoticeSubject,
  now: Millis,
): Run {
  if (to.length === 0) return execution;
  const { notices } = execution;
  const last = Number(notices.at(-1)?.id ?? 0);
  const remaining = notices.filter(({ id, to: person, about: subject }) => {
    const post = postOf(execution, noticeMessage(id));
    const isRepeated = post?.status === 'due' && to.includes(person) && fingerprint(subject) === fingerprint(about);
    return !isOver(post) && !isRepeated;
  });
  const added = to.map((person, i): Notice => ({ id: String(last + 1 + i), to: person, about }));
  const after = [...remaining, ...added].slice(-MOST_KEPT);
  const forgotten = notices.filter((each) => !after.includes(each)).map(({ id }) => noticeMessage(id));
  const due = added.filter((each) => after.includes(each)).map(({ id }) => noticeMessage(id));
  return { ...addMessages(withoutMessages(execution, forgotten), due, duePost(now)), notices: after };
}

function noticeMessage(noticeId: string): Message {
  return { kind: 'notice', noticeId };
}
