import type { Approval, Notice } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { findApproval, withApproval } from '../execution/execution.ts';
import type { Post } from './post.ts';

/** A message in the thread of an execution. */
export type Message =
  | { kind: 'root' }
  | { kind: 'card'; approvalId: string }
  | { kind: 'copy'; approvalId: string; ts: string }
  /** A reply that mentions people. */
  | { kind: 'notice'; approvalId: string; noticeId: string }
  | { kind: 'file'; approvalId: string }
  | { kind: 'task'; taskId: string }
  | { kind: 'ending' };

/** All messages that an execution has or may get, most urgent first. */
export function messagesOf(execution: Execution): Message[] {
  return Object.values(MESSAGES).flatMap((list): Message[] => list(execution));
}

/** One list for each kind of message: a kind without one doesn't compile. */
const MESSAGES: { [Kind in Message['kind']]: (execution: Execution) => Extract<Message, { kind: Kind }>[] } = {
  card: ({ approvals }) => approvals.map(({ id: approvalId }) => ({ kind: 'card', approvalId })),
  copy: ({ approvals }) =>
    approvals.flatMap(({ id: approvalId, copies }) => copies.map(({ ts }) => ({ kind: 'copy', approvalId, ts }))),
  notice: ({ approvals }) =>
    approvals.flatMap(({ id: approvalId, notices }) =>
      notices.map(({ id: noticeId }) => ({ kind: 'notice', approvalId, noticeId })),
    ),
  root: () => [{ kind: 'root' }],
  task: ({ tasks }) => tasks.map(({ id: taskId }) => ({ kind: 'task', taskId })),
  ending: () => [{ kind: 'ending' }],
  file: ({ approvals }) => approvals.map(({ id: approvalId }) => ({ kind: 'file', approvalId })),
};

/** Unique within the execution; the same in metadata and logs. */
export function messageKey(message: Message): string {
  switch (message.kind) {
    case 'root':
    case 'ending':
      return message.kind;
    case 'card':
    case 'file':
      return `${message.kind}:${message.approvalId}`;
    case 'notice':
      return `notice:${message.approvalId}:${message.noticeId}`;
    case 'copy':
      return `copy:${message.approvalId}:${message.ts}`;
    case 'task':
      return `task:${message.taskId}`;
  }
}

export function postOf(execution: Execution, message: Message): Post | null {
  switch (message.kind) {
    case 'root':
      return execution.root;
    case 'ending':
      return execution.ending;
    case 'card':
      return findApproval(execution, message.approvalId)?.card ?? null;
    case 'file':
      return findApproval(execution, message.approvalId)?.file ?? null;
    case 'notice':
      return noticeOf(execution, message)?.post ?? null;
    case 'copy':
      return findApproval(execution, message.approvalId)?.copies.find(({ ts }) => ts === message.ts)?.post ?? null;
    case 'task':
      return execution.tasks.find(({ id }) => id === message.taskId)?.post ?? null;
  }
}

export function noticeOf(
  execution: Execution,
  { approvalId, noticeId }: Extract<Message, { kind: 'notice' }>,
): Notice | null {
  return findApproval(execution, approvalId)?.notices.find(({ id }) => id === noticeId) ?? null;
}

/** Changes the post of one message; returns the same object if nothing changed. */
export function withPost(execution: Execution, message: Message, change: (post: Post) => Post): Execution {
  const post = postOf(execution, message);
  if (!post) return execution;
  const changed = change(post);
  return changed === post ? execution : put(execution, message, changed);
}

function put(execution: Execution, message: Message, post: Post): Execution {
  switch (message.kind) {
    case 'root':
      return { ...execution, root: post };
    case 'ending':
      return { ...execution, ending: post };
    case 'card':
      return withApprovalPart(execution, message.approvalId, () => ({ card: post }));
    case 'file':
      return withApprovalPart(execution, message.approvalId, () => ({ file: post }));
    case 'notice':
      return withApprovalPart(execution, message.approvalId, ({ notices }) => ({
        notices: notices.map((notice) => (notice.id === message.noticeId ? { ...notice, post } : notice)),
      }));
    case 'copy':
      return withApprovalPart(execution, message.approvalId, ({ copies }) => ({
        copies: copies.map((copy) => (copy.ts === message.ts ? { ...copy, post } : copy)),
      }));
    case 'task':
      return {
        ...execution,
        tasks: execution.tasks.map((task) => (task.id === message.taskId ? { ...task, post } : task)),
      };
  }
}

type Parts = Partial<Pick<Approval, 'card' | 'file' | 'copies' | 'notices'>>;

function withApprovalPart(execution: Execution, approvalId: string, change: (approval: Approval) => Parts): Execution {
  const approval = findApproval(execution, approvalId);
  return approval ? withApproval(execution, { ...approval, ...change(approval) }) : execution;
}
