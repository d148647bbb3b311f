// The messages of an execution: one map from a message's key to its delivery and rendering. What an alert, a direct message, a
// notice, a copy or a task is about lies with the request or the run; `message-subject.ts` finds it.

import type { Millis } from '../values/time.ts';
import { duePost, type Post, plainerThan, type Rendering } from './post.ts';

/** A message of an execution: in its thread or, where it goes to one person, in a direct message. */
export type Message =
  | { kind: 'root' }
  | { kind: 'card'; approvalId: string }
  /** A second posting of a card, known by a click on it or by an event. It is kept up to date like the card. */
  | { kind: 'copy'; approvalId: string; ts: string }
  /** A reply with what a card, or the root (null), can't show any more, since Slack no longer lets us change it. */
  | { kind: 'follow-up'; approvalId: string | null }
  /** A reply that mentions people. */
  | { kind: 'alert'; approvalId: string; alertId: string }
  /** A direct message to one of the people who can decide. */
  | { kind: 'direct-message'; approvalId: string; to: string }
  /** A direct message of one line. */
  | { kind: 'notice'; noticeId: string }
  /** The whole text of a request, attached to the thread. */
  | { kind: 'file'; approvalId: string }
  | { kind: 'task'; taskId: string }
  /** The last reply in the thread: the result or the failure of the run. */
  | { kind: 'ending' };

/** Deliveries of the messages that have been posted or may be, by `messageKey`. Most are rendered in full, which isn't stored. */
export type Messages = Readonly<Record<string, { post: Post; rendering?: Rendering | undefined }>>;

interface HasMessages {
  messages: Messages;
}

/** A message with its delivery. */
export interface MessagePost {
  message: Message;
  post: Post;
}

export const ROOT: Message = { kind: 'root' };
export const ENDING: Message = { kind: 'ending' };

/** Identifies a message within its execution: in the record, in Slack's message metadata and in logs. */
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

export function messageOfAlert({ id: approvalId }: { id: string }, { id: alertId }: { id: string }): Message {
  return { kind: 'alert', approvalId, alertId };
}

/** Keys as `messageKey` makes them. */
export const MESSAGE_KEY =
  /^(?:root|ending|follow-up(?::[^:]*)?|(?:card|file|notice|task):[^:]*|(?:alert|direct|copy):[^:]*:[^:]*)$/;

/** Returns the message of a key; null if no message has such a key. */
export function parseMessageKey(key: string): Message | null {
  const [kind, id = '', part = ''] = MESSAGE_KEY.test(key) ? key.split(':') : [];
  switch (kind) {
    case 'root':
    case 'ending':
      return { kind };
    case 'follow-up':
      return { kind, approvalId: key === 'follow-up' ? null : id };
    case 'card':
    case 'file':
      return { kind, approvalId: id };
    case 'alert':
      return { kind, approvalId: id, alertId: part };
    case 'direct':
      return { kind: 'direct-message', approvalId: id, to: part };
    case 'notice':
      return { kind, noticeId: id };
    case 'copy':
      return { kind, approvalId: id, ts: part };
    case 'task':
      return { kind, taskId: id };
    default:
      return null;
  }
}

/** Order in which messages are posted and updated: people wait for the first ones. */
const URGENCY: Record<Message['kind'], number> = {
  card: 0,
  copy: 1,
  'follow-up': 2,
  alert: 3,
  'direct-message': 4,
  notice: 5,
  root: 6,
  task: 7,
  ending: 8,
  file: 9,
};

/** Lists by their maps, which never change: they are needed several times for each state. */
const LISTS = new WeakMap<Messages, readonly MessagePost[]>();

/** Returns all messages that have been posted or may be, most urgent first. */
export function postsOf({ messages }: HasMessages): readonly MessagePost[] {
  const posts = LISTS.get(messages) ?? listPosts(messages);
  LISTS.set(messages, posts);
  return posts;
}

function listPosts(messages: Messages): MessagePost[] {
  const posts = Object.entries(messages).flatMap(([key, { post }]) => {
    const message = parseMessageKey(key);
    return message ? [{ message, post }] : [];
  });
  return posts.sort((one, other) => URGENCY[one.message.kind] - URGENCY[other.message.kind]);
}

/** Returns the same messages without their deliveries. */
export function messagesOf(execution: HasMessages): Message[] {
  return postsOf(execution).map(({ message }) => message);
}

export function postOf({ messages }: HasMessages, message: Message): Post | null {
  return messages[messageKey(message)]?.post ?? null;
}

/** Returns the timestamp that identifies a message in Slack; null if it was never posted. */
export function tsOf(post: Post | null): string | null {
  return post?.status === 'posted' || post?.status === 'gone' ? post.ts : null;
}

/** Returns the timestamp of a request's card; null until it is posted. */
export function cardTsOf(execution: HasMessages, { id: approvalId }: { id: string }): string | null {
  return tsOf(postOf(execution, { kind: 'card', approvalId }));
}

/** Returns the copies of a request's card. */
export function copiesOf(execution: HasMessages, approvalId: string): MessagePost[] {
  return postsOf(execution).filter(({ message }) => message.kind === 'copy' && message.approvalId === approvalId);
}

/** Changes the post of one message; returns the same object if nothing changed. */
export function withPost<Run extends HasMessages>(execution: Run, message: Message, change: (post: Post) => Post): Run {
  return withPosts(execution, [message], change);
}

/** Changes the posts of some messages; returns the same object if nothing changed. */
export function withPosts<Run extends HasMessages>(
  execution: Run,
  messages: readonly Message[],
  change: (post: Post, message: Message) => Post,
): Run {
  const changed = messages.flatMap((message) => {
    const key = messageKey(message);
    const stored = execution.messages[key];
    const post = stored && change(stored.post, message);
    return post && post !== stored.post ? [[key, { ...stored, post }] as const] : [];
  });
  if (changed.length === 0) return execution;
  return { ...execution, messages: { ...execution.messages, ...Object.fromEntries(changed) } };
}

/** Adds a message, or posts it anew in the rendering that it has. */
export function addMessage<Run extends HasMessages>(execution: Run, message: Message, post: Post): Run {
  return addMessages(execution, [message], post);
}

/** Adds messages that are delivered alike. */
export function addMessages<Run extends HasMessages>(execution: Run, added: readonly Message[], post: Post): Run {
  if (added.length === 0) return execution;
  const { messages } = execution;
  const entries = added.map(messageKey).map((key) => [key, { ...messages[key], post }] as const);
  return { ...execution, messages: { ...messages, ...Object.fromEntries(entries) } };
}

/** Forgets messages that nobody needs any more. */
export function withoutMessages<Run extends HasMessages>(execution: Run, forgotten: readonly Message[]): Run {
  if (forgotten.length === 0) return execution;
  const keys = new Set(forgotten.map(messageKey));
  const left = Object.entries(execution.messages).filter(([key]) => !keys.has(key));
  return { ...execution, messages: Object.fromEntries(left) };
}

export function renderingOf({ messages }: HasMessages, message: Message): Rendering {
  return messages[messageKey(message)]?.rendering ?? 'full';
}

/** Renders the message this plainly from now on. A bare card or copy lacks the text that it asks about, which is attached as a file. */
export function renderPlainer<Run extends HasMessages>(
  execution: Run,
  message: Message,
  rendering: Rendering,
  now: Millis,
): Run {
  const key = messageKey(message);
  const stored = execution.messages[key];
  if (!stored || !plainerThan(stored.rendering ?? 'full').includes(rendering)) return execution;
  const plainer = { ...execution, messages: { ...execution.messages, [key]: { ...stored, rendering } } };
  const isBareCard = rendering === 'bare' && (message.kind === 'card' || message.kind === 'copy');
  return isBareCard ? attachText(plainer, message.approvalId, now) : plainer;
}

/** Attaches the text of a request to the thread, unless it is attached already. */
export function attachText<Run extends HasMessages>(execution: Run, approvalId: string, now: Millis): Run {
  const file: Message = { kind: 'file', approvalId };
  return postOf(execution, file) === null ? addMessage(execution, file, duePost(now)) : execution;
}
