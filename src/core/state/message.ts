import type { Millis } from '../values/time.ts';
import type { Alert, Approval, DirectMessage } from './approval.ts';
import { type Execution, findApproval, withApproval } from './execution.ts';
import type { Notice } from './notices.ts';
import { duePost, type Post, plainerThan, type Rendering } from './post.ts';

/** A message in the thread of an execution. */
export type Message =
  | { kind: 'root' }
  | { kind: 'card'; approvalId: string }
  | { kind: 'copy'; approvalId: string; ts: string }
  /** A reply that tells what a card, or the root (null), can't show any more. */
  | { kind: 'follow-up'; approvalId: string | null }
  /** A reply that mentions people. */
  | { kind: 'alert'; approvalId: string; alertId: string }
  /** A direct message to one of those who should decide. */
  | { kind: 'direct-message'; approvalId: string; to: string }
  /** A direct message of one line. */
  | { kind: 'notice'; noticeId: string }
  | { kind: 'file'; approvalId: string }
  | { kind: 'task'; taskId: string }
  | { kind: 'ending' };

/** A message of an execution, with its delivery. */
export interface MessagePost<Each extends Message = Message> {
  message: Each;
  post: Post;
}

type PostsOf<Kind extends Message['kind']> = MessagePost<Extract<Message, { kind: Kind }>>[];

/** Lists all messages of an execution that have been posted or may be, most urgent first. */
export function postsOf(execution: Execution): MessagePost[] {
  return [...cardsOf(execution), ...otherPostsOf(execution)];
}

/** Lists the cards alone, which people wait for. */
export function cardsOf({ approvals }: Execution): PostsOf<'card'> {
  return approvals.map(({ id: approvalId, card: post }) => ({ message: { kind: 'card', approvalId }, post }));
}

/** Lists all messages but the cards, most urgent first. */
export function otherPostsOf({ approvals, notices, root, followUp, tasks, ending }: Execution): MessagePost[] {
  // A kind without a list doesn't compile.
  const posts: { [Kind in Exclude<Message['kind'], 'card'>]: PostsOf<Kind> } = {
    copy: approvals.flatMap(({ id: approvalId, copies }) =>
      copies.map(({ ts, post }) => ({ message: { kind: 'copy', approvalId, ts }, post })),
    ),
    'follow-up': [...approvals, { id: null, followUp }].flatMap(({ id: approvalId, followUp: post }) =>
      post ? [{ message: { kind: 'follow-up', approvalId }, post }] : [],
    ),
    alert: approvals.flatMap(({ id: approvalId, alerts }) =>
      alerts.map(({ id: alertId, post }) => ({ message: { kind: 'alert', approvalId, alertId }, post })),
    ),
    'direct-message': approvals.flatMap(({ id: approvalId, directMessages: { list } }) =>
      list.map(({ to, post }) => ({ message: { kind: 'direct-message', approvalId, to }, post })),
    ),
    notice: notices.map(({ id: noticeId, post }) => ({ message: { kind: 'notice', noticeId }, post })),
    root: [{ message: { kind: 'root' }, post: root }],
    task: tasks.map(({ id: taskId, post }) => ({ message: { kind: 'task', taskId }, post })),
    ending: ending ? [{ message: { kind: 'ending' }, post: ending }] : [],
    file: approvals.flatMap(({ id: approvalId, file: post }) =>
      post ? [{ message: { kind: 'file', approvalId }, post }] : [],
    ),
  };
  return Object.values(posts).flat();
}

/** Lists the same messages without their deliveries. */
export function messagesOf(execution: Execution): Message[] {
  return postsOf(execution).map(({ message }) => message);
}

/** Unique within the execution; the same in metadata and logs. */
export function messageKey(message: Message): string {
  switch (message.kind) {
    case 'root':
    case 'ending':
      return message.kind;
    case 'card':
    case 'file':
      return `${message.kind}:${message.approvalId}`;
    case 'alert':
      return `alert:${message.approvalId}:${message.alertId}`;
    case 'direct-message':
      return `direct:${message.approvalId}:${message.to}`;
    case 'notice':
      return `notice:${message.noticeId}`;
    case 'follow-up':
      return message.approvalId === null ? 'follow-up' : `follow-up:${message.approvalId}`;
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
    case 'follow-up':
      return message.approvalId === null
        ? execution.followUp
        : (findApproval(execution, message.approvalId)?.followUp ?? null);
    case 'alert':
      return alertOf(execution, message)?.post ?? null;
    case 'direct-message':
      return directMessageOf(execution, message)?.post ?? null;
    case 'notice':
      return noticeOf(execution, message)?.post ?? null;
    case 'copy':
      return findApproval(execution, message.approvalId)?.copies.find(({ ts }) => ts === message.ts)?.post ?? null;
    case 'task':
      return execution.tasks.find(({ id }) => id === message.taskId)?.post ?? null;
  }
}

/** The request that a message is about; null if it is about the run. */
export function requestOf(execution: Execution, message: Message): Approval | null {
  const about = message.kind === 'notice' ? noticeOf(execution, message)?.about : message;
  const approvalId = about && 'approvalId' in about ? about.approvalId : null;
  return approvalId === null ? null : findApproval(execution, approvalId);
}

export function alertOf(
  execution: Execution,
  { approvalId, alertId }: Extract<Message, { kind: 'alert' }>,
): Alert | null {
  return findApproval(execution, approvalId)?.alerts.find(({ id }) => id === alertId) ?? null;
}

export function directMessageOf(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
): DirectMessage | null {
  return findApproval(execution, approvalId)?.directMessages.list.find((each) => each.to === to) ?? null;
}

export function noticeOf({ notices }: Execution, { noticeId }: Extract<Message, { kind: 'notice' }>): Notice | null {
  return notices.find(({ id }) => id === noticeId) ?? null;
}

/** The id of the person to whom a message goes directly; null for one that goes into the channel. */
export function directlyTo(execution: Execution, message: Message): string | null {
  if (message.kind === 'direct-message') return message.to;
  return message.kind === 'notice' ? (noticeOf(execution, message)?.to ?? null) : null;
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
    case 'follow-up':
      return message.approvalId === null
        ? { ...execution, followUp: post }
        : withApprovalPart(execution, message.approvalId, () => ({ followUp: post }));
    case 'alert':
      return withApprovalPart(execution, message.approvalId, ({ alerts }) => ({
        alerts: alerts.map((alert) => (alert.id === message.alertId ? { ...alert, post } : alert)),
      }));
    case 'direct-message':
      return withDirectMessage(execution, message, { post });
    case 'notice':
      return {
        ...execution,
        notices: execution.notices.map((notice) => (notice.id === message.noticeId ? { ...notice, post } : notice)),
      };
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

/** Changes one direct message. */
export function withDirectMessage(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
  change: Partial<DirectMessage>,
): Execution {
  return withApprovalPart(execution, approvalId, ({ directMessages }) => ({
    directMessages: {
      ...directMessages,
      list: directMessages.list.map((each) => (each.to === to ? { ...each, ...change } : each)),
    },
  }));
}

type Parts = Partial<Pick<Approval, 'card' | 'file' | 'followUp' | 'copies' | 'alerts' | 'directMessages'>>;

function withApprovalPart(execution: Execution, approvalId: string, change: (approval: Approval) => Parts): Execution {
  const approval = findApproval(execution, approvalId);
  return approval ? withApproval(execution, { ...approval, ...change(approval) }) : execution;
}

export function renderingOf({ renderings }: Execution, message: Message): Rendering {
  return renderings[messageKey(message)] ?? 'full';
}

/** Renders the message this plainly from now on. A card without the text that it asks about gets it as a file. */
export function renderPlainer(execution: Execution, message: Message, rendering: Rendering, now: Millis): Execution {
  if (!plainerThan(renderingOf(execution, message)).includes(rendering)) return execution;
  const plainer = { ...execution, renderings: { ...execution.renderings, [messageKey(message)]: rendering } };
  return rendering === 'bare' ? attachOutput(plainer, message, now) : plainer;
}

function attachOutput(execution: Execution, message: Message, now: Millis): Execution {
  if (message.kind !== 'card' && message.kind !== 'copy') return execution;
  const approval = findApproval(execution, message.approvalId);
  return approval?.file === null ? withApproval(execution, { ...approval, file: duePost(now) }) : execution;
}
