import type { Approval } from '../../../src/core/approval/approval.ts';
import type { Claimed } from '../../../src/core/claim.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import type { Post } from '../../../src/core/messages/post.ts';

/**
 * When an execution has something due, written a second time and in other words than in the core, so that one checks the
 * other: all instants at which an action is due.
 */
export function dueInstants(execution: Execution): number[] {
  const { origin, approvals, kickoff, starterNotice, activity, poll, root } = execution;
  if (origin.kind === 'elsewhere' && origin.adoptionHold) return [origin.adoptionHold.checkAt];
  const instants: (number | null | false)[] = [
    kickoff.status === 'due' && kickoff.notBefore,
    kickoff.status === 'sending' && endOrCheck(kickoff),
    starterNotice.status === 'due' &&
      (!isStarted(execution) || root.status === 'posted' || root.status === 'gone') &&
      starterNotice.notBefore,
    activity.refreshAt,
    ...execution.privateAnswers.map(({ notBefore }) => notBefore),
    poll.nextAt,
    ...approvals.map((approval) => approval.status === 'decided' && approval.sendAt),
    ...approvals.map((approval) => approval.status === 'sending' && endOrCheck(approval)),
    ...messages(execution).map(([message, post]) => messageInstant(execution, message, post)),
  ];
  return instants.filter((instant) => typeof instant === 'number');
}

/** A claim is checked for as long as a process holds it. */
function endOrCheck({ claim, until }: Claimed): number {
  return claim !== null && claim.checkAt < until ? claim.checkAt : until;
}

function isStarted({ run }: Execution): boolean {
  return run.status !== 'not-started' && run.status !== 'unconfirmed';
}

/** The messages that this execution should have; everything but the root lies in the thread that the root begins. */
function messages(execution: Execution): [Message, Post][] {
  const { root, approvals, tasks, ending, unfollowed } = execution;
  const hasThread = (root.status === 'posted' || root.status === 'gone') && root.ts !== null;
  const cards = approvals.filter(needsCard);
  const files = unfollowed ? [] : cards.filter(({ file }) => file !== null);
  const thread: [Message, Post | null][] = [
    ...cards.map(({ id, card }): [Message, Post] => [{ kind: 'card', approvalId: id }, card]),
    ...files.map(({ id, file }): [Message, Post | null] => [{ kind: 'file', approvalId: id }, file]),
    ...(unfollowed ? [] : tasks).map(({ id, post }): [Message, Post] => [{ kind: 'task', taskId: id }, post]),
    [{ kind: 'ending' }, unfollowed ? null : ending],
  ];
  const copies = approvals.flatMap(({ id, copies }) =>
    copies.map(({ ts, post }): [Message, Post] => [{ kind: 'copy', approvalId: id, ts }, post]),
  );
  const all: [Message, Post | null][] = [[{ kind: 'root' }, root], ...copies, ...(hasThread ? thread : [])];
  return all.filter((each): each is [Message, Post] => each[1] !== null);
}

/** People need no card of a request that closed unseen, unless a decision of it reached the crew. */
function needsCard({ status, card }: Approval): boolean {
  return status !== 'superseded' || card.status !== 'due';
}

function messageInstant(execution: Execution, message: Message, post: Post): number | null {
  if (post.status === 'gone') return null;
  if (post.status === 'posting') return endOrCheck(post);
  const isTrue = post.status === 'posted' && post.shown === wantedFor(execution, message);
  return isTrue ? null : post.notBefore;
}
