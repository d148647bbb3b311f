import type { HumanInputRequest } from '../../src/core/execution/events.ts';
import { startExecution } from '../../src/core/execution/start.ts';
import { type CompletedTask, type Execution, findRequest } from '../../src/core/state/execution.ts';
import { addMessage, copiesOf, ENDING, type Message, postOf, ROOT, tsOf } from '../../src/core/state/message.ts';
import type { Notice } from '../../src/core/state/notices.ts';
import type { Post } from '../../src/core/state/post.ts';
import { type Alert, type DirectMessage, type HumanRequest, isOpen } from '../../src/core/state/request.ts';
import { MARIA, output, posted, type RequestPosts, START } from './requests.ts';

/** What tests say about an execution, with its posts. */
export type ExecutionChange = Partial<Omit<Execution, 'approvals' | 'tasks' | 'notices'>> & {
  requests?: readonly (HumanRequest & RequestPosts)[];
  tasks?: readonly (CompletedTask & { post?: Post })[];
  notices?: readonly (Notice & { post?: Post })[];
  root?: Post;
  ending?: Post;
  followUp?: Post;
};

type Posts = [Message, Post | undefined][];

/** An execution before its kickoff, as `/kickoff` leaves it. */
export function starting(change: ExecutionChange = {}): Execution {
  const start = { ref: 'ref1', crew: 'editorial', channel: 'C1', by: MARIA, inputs: { topic: 'tea' }, form: null };
  return changed(startExecution(start, START), change);
}

/** An execution with this changed, and the posts in its map. */
export function changed(before: Execution, change: ExecutionChange): Execution {
  const { root, ending, followUp, requests, tasks = [], notices = [], ...others } = change;
  const posts: Posts = [
    [ROOT, root],
    [ENDING, ending],
    [{ kind: 'follow-up', approvalId: null }, followUp],
    ...tasks.map(({ id: taskId, post }): Posts[0] => [{ kind: 'task', taskId }, post]),
    ...notices.map(({ id: noticeId, post }): Posts[0] => [{ kind: 'notice', noticeId }, post]),
  ];
  const bare = {
    ...(change.tasks && { tasks: tasks.map(withoutPost) }),
    ...(change.notices && { notices: notices.map(withoutPost) }),
  };
  const after = { ...before, ...bare, ...others };
  return withPostsOf(requests ? withRequests(after, requests) : after, posts);
}

/** Gives an execution these requests, with their posts. */
export function withRequests(before: Execution, requests: readonly (HumanRequest & RequestPosts)[]): Execution {
  const bare = requests.map(({ id, question, state, discussion }): HumanRequest => {
    const { alerts, directMessages } = discussion;
    const list = directMessages.list.map(withoutPost);
    return {
      id,
      question,
      state,
      discussion: { ...discussion, alerts: alerts.map(withoutPost), directMessages: { ...directMessages, list } },
    };
  });
  return requests.reduce((execution, request) => withPostsOf(execution, postsWith(execution, request)), {
    ...before,
    requests: bare,
  });
}

function postsWith(execution: Execution, request: HumanRequest & RequestPosts): Posts {
  const { id: approvalId, card, copies = [], followUp, file } = request;
  const alerts: readonly (Alert & { post?: Post })[] = request.discussion.alerts;
  const list: readonly (DirectMessage & { post?: Post })[] = request.discussion.directMessages.list;
  const isKnown = postOf(execution, { kind: 'card', approvalId }) !== null;
  return [
    [{ kind: 'card', approvalId }, card ?? (isKnown ? undefined : posted())],
    ...copies.map(({ ts, post }): Posts[0] => [{ kind: 'copy', approvalId, ts }, post]),
    [{ kind: 'follow-up', approvalId }, followUp],
    [{ kind: 'file', approvalId }, file],
    ...alerts.map(({ id: alertId, post }): Posts[0] => [{ kind: 'alert', approvalId, alertId }, post]),
    ...list.map(({ to, post }): Posts[0] => [{ kind: 'direct-message', approvalId, to }, post]),
  ];
}

function withPostsOf(execution: Execution, posts: Posts): Execution {
  return posts.reduce((each, [message, post]) => (post ? addMessage(each, message, post) : each), execution);
}

function withoutPost<Each extends object>(each: Each & { post?: Post }): Each {
  const { post: _, ...others } = each;
  return others as unknown as Each;
}

/** A request with its posts. */
export function withItsPosts(execution: Execution, approvalId = '1') {
  const copies = copiesOf(execution, approvalId).map(({ post }) => ({ ts: tsOf(post), post }));
  return {
    ...findRequest(execution, approvalId),
    card: postOf(execution, { kind: 'card', approvalId }),
    copies,
    followUp: postOf(execution, { kind: 'follow-up', approvalId }),
    file: postOf(execution, { kind: 'file', approvalId }),
  };
}

/** A run that was started here, has its thread and is polled; it waits where it is given approvals that are open. */
export function execution(change: ExecutionChange = {}): Execution {
  const waits = (change.requests ?? []).some(isOpen);
  const hops = (change.requests ?? []).flatMap((each) => [
    each.question.hop,
    ...('attempts' in each.state ? each.state.attempts.map(({ hop }) => hop) : []),
  ]);
  return starting({
    run: { status: waits ? 'waiting' : 'running' },
    kickoff: { status: 'settled' },
    kickoffIds: ['k1'],
    executionId: 'e1',
    hop: Math.max(0, ...hops),
    poll: { nextAt: START + 60_000, count: 3, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null },
    root: posted({ ts: '99.9' }),
    starterNotice: { status: 'told' },
    ...change,
  });
}

/** The first round of the task "draft", as the kickoff's addresses tell it. */
export function request(change: Partial<HumanInputRequest> = {}): HumanInputRequest {
  return {
    hop: 0,
    kickoffId: 'k1',
    executionId: 'e1',
    taskId: 'draft',
    taskName: 'Draft',
    output: output('first draft'),
    heading: 'Draft',
    attachesFile: false,
    ...change,
  };
}
