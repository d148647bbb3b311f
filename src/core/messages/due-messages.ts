import { reviewOf } from '../execution/task-replies.ts';
import { wasRefused } from '../execution/workflow-steps.ts';
import { openRequest } from '../request/ask.ts';
import { ANSWER_MS, crewAnswerAt } from '../request/resume.ts';
import { nextCheckAt } from '../state/claim.ts';
import {
  askThreadOf,
  type Execution,
  findRequest,
  missesCrew,
  noticeOf,
  type Run,
  requestOfAsk,
  threadTsOf,
} from '../state/execution.ts';
import {
  cardTsOf,
  ENDING,
  type Message,
  type MessagePost,
  postOf,
  postsOf,
  ROOT,
  tsOf,
  withPost,
} from '../state/message.ts';
import { contentOf, type Pauses, type Post } from '../state/post.ts';
import { type HumanRequest, isOpen } from '../state/request.ts';
import { fingerprint } from '../values/text.ts';
import type { Millis } from '../values/time.ts';
import { type CardModel, cardModel, directMessageModel, rootModel } from './view-models.ts';

// Finds which messages are due to be posted or updated, when, and what each should show now, for `due-actions.ts`.

type DirectMessage = Extract<Message, { kind: 'direct-message' }>;

/** The time at which a message is posted or updated, or the claim of its posting is checked. */
interface DueMessage {
  at: Millis;
  kind: 'post' | 'update' | 'check-claims';
  message: Message;
}

/** Returns the messages that are due at some time, most urgent first, among all or among `posts`. */
export function dueMessages(execution: Execution, posts: readonly MessagePost[] = postsOf(execution)): DueMessage[] {
  return posts.flatMap((each) => (isWanted(execution, each) ? due(execution, each) : []));
}

export function isUpdateDue(execution: Execution, message: Message, now: Millis): boolean {
  const post = postOf(execution, message);
  return (
    post !== null && dueMessages(execution, [{ message, post }]).some(({ at, kind }) => kind === 'update' && at <= now)
  );
}

/**
 * Returns the execution as if nobody had put a message off since this process asked for its turn: another process that got no turn
 * may have put it off, but this one can still send it. Whatever else has happened to the message counts.
 * @param before the execution when its turn was asked for
 */
export function withoutPostponement(execution: Execution, before: Execution, message: Message): Execution {
  if (execution === before) return execution;
  const earlier = postOf(before, message);
  return withPost(execution, message, (post) => (earlier && isSameTry(earlier, post) ? earlier : post));
}

/** Returns true if two states of a post differ only in that it was put off. */
function isSameTry(one: Post, other: Post): boolean {
  if (!('notBefore' in one && 'notBefore' in other)) return false;
  const isSame = one.status === other.status && one.tries === other.tries;
  return isSame && tsOf(one) === tsOf(other) && contentOf(one) === contentOf(other);
}

/** Returns the fingerprint of what a message should show now; an update is due while the message shows something else. */
export function wantedFor(execution: Execution, message: Message): string {
  switch (message.kind) {
    case 'root':
      return rootFingerprint(execution);
    case 'card':
    case 'copy': {
      const request = findRequest(execution, message.approvalId);
      return request ? cardFingerprint(execution, request) : UNCHANGING;
    }
    case 'follow-up': {
      const request = message.approvalId === null ? null : findRequest(execution, message.approvalId);
      return request ? cardFingerprint(execution, request) : rootStateFingerprint(execution);
    }
    case 'task': {
      const review = reviewOf(execution, message.taskId);
      return review === 'none' ? UNCHANGING : `${UNCHANGING} ${review}`;
    }
    case 'direct-message':
      return wantedDirectly(execution, message);
    case 'alert':
    case 'notice':
    case 'file':
    case 'ending':
      return UNCHANGING;
  }
}

function wantedDirectly(execution: Execution, message: DirectMessage): string {
  const request = findRequest(execution, message.approvalId);
  return request ? directMessageFingerprint(execution, request, message.to) : UNCHANGING;
}

/** Stands for the content of a message that is posted once and not updated. */
const UNCHANGING = 'once';

/**
 * Returns true if a message is to be posted, or kept up to date. The root waits until the run has begun; the ask of a program has
 * none, as its card begins the thread. Replies wait for the thread. Those that only report are for runs that are still followed.
 */
function isWanted(execution: Execution, { message, post }: MessagePost): boolean {
  const hasThread = threadTsOf(execution) !== null;
  const isFollowed = execution.unfollowed === null;
  const isAsk = execution.origin.kind === 'ask';
  const hasPlace = hasThread || (isAsk && askThreadOf(execution)?.place.status !== 'sought');
  switch (message.kind) {
    case 'root':
      if (isAsk) return false;
      return hasBegun(execution.run) || post.status !== 'due' || execution.workflowSteps.some(wasRefused);
    case 'copy':
      return true;
    case 'card':
      return hasPlace && isWorthACard(execution, message.approvalId);
    case 'follow-up':
      return hasThread;
    case 'file':
      return hasThread && isWorthAFile(execution, message.approvalId);
    case 'alert':
      // The rules of the crew say whom it mentions.
      return hasThread && isFollowed && !missesCrew(execution) && isPending(execution, message);
    case 'direct-message':
      return isDirectMessageWanted(execution, message, post);
    case 'notice':
      return isNoticeWanted(execution, message);
    case 'task':
    case 'ending':
      return hasThread && isFollowed;
  }
}

function isPending(execution: Execution, { approvalId }: { approvalId: string }): boolean {
  return findRequest(execution, approvalId)?.state.status === 'pending';
}

/** Returns true for a direct message about a pending request, and for posted ones, which are updated with the outcome. */
function isDirectMessageWanted(execution: Execution, message: DirectMessage, { status }: Post): boolean {
  if (status !== 'due' && status !== 'unsure') return true;
  const hasCard = cardTsOf(execution, { id: message.approvalId }) !== null;
  const isAsked = execution.unfollowed === null && !missesCrew(execution);
  return hasCard && isAsked && isPending(execution, message);
}

/** Returns true while a notice is true; others aren't posted. */
function isNoticeWanted(execution: Execution, message: Extract<Message, { kind: 'notice' }>): boolean {
  const about = noticeOf(execution, message)?.about;
  switch (about?.kind) {
    case 'alert':
      return execution.unfollowed === null && !missesCrew(execution) && isPending(execution, about);
    case 'unsent':
      return findRequest(execution, about.approvalId)?.state.status === 'failed';
    case 'ended':
      return true;
    case undefined:
      return false;
  }
}

/** Returns true if the crew has started, or may have. A failed start is shown only if the workflow that made it can't report it. */
function hasBegun({ status }: Run): boolean {
  switch (status) {
    case 'starting':
    case 'not-started':
      return false;
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
    case 'lost':
    case 'not-confirmed':
      return true;
  }
}

/** Returns true if a request needs a card: not if it closed before its card was posted. */
function isWorthACard(execution: Execution, approvalId: string): boolean {
  const request = findRequest(execution, approvalId);
  if (!request) return false;
  const { status } = request.state;
  const isTried = postOf(execution, { kind: 'card', approvalId })?.status !== 'due';
  return isTried || isOpen(request) || status === 'delivered' || status === 'declined';
}

/** Returns the time of the next look for an ask's place in its thread; null if it is known, or no card is posted. */
export function threadSoughtAt(execution: Execution): Millis | null {
  const place = askThreadOf(execution)?.place;
  const request = requestOfAsk(execution);
  return place?.status === 'sought' && request && isWorthACard(execution, request.id) ? place.notBefore : null;
}

/** Returns the thread that a later ask follows. `awaited`: its first card may still be posted; `none`: it won't be. */
export function threadToFollow(first: Execution): { kind: 'posted'; ts: string } | { kind: 'awaited' | 'none' } {
  const ts = threadTsOf(first);
  if (ts !== null) return { kind: 'posted', ts };
  const request = requestOfAsk(first);
  // A card that Slack refuses is awaited, too: it would refuse other cards in this channel for the same reason.
  const isAwaited =
    request !== null &&
    postOf(first, { kind: 'card', approvalId: request.id })?.status !== 'gone' &&
    isWorthACard(first, request.id);
  return { kind: isAwaited ? 'awaited' : 'none' };
}

/** A text is attached once. One that was approved and is to be kept is attached although nobody tracks the run any more. */
function isWorthAFile(execution: Execution, approvalId: string): boolean {
  const request = findRequest(execution, approvalId);
  if (!request || !isWorthACard(execution, approvalId)) return false;
  if (execution.unfollowed && !(request.question.keepsText && request.state.status === 'delivered')) return false;
  if (fileOf(execution, approvalId)?.status !== 'due') return true;
  const same = execution.requests.find(
    ({ id, question: { output } }) => output.hash === request.question.output.hash && hasFile(fileOf(execution, id)),
  );
  return same?.id === approvalId;
}

function fileOf(execution: Execution, approvalId: string): Post | null {
  return postOf(execution, { kind: 'file', approvalId });
}

function hasFile(file: Post | null): boolean {
  return file !== null && !(file.status === 'gone' && file.ts === null);
}

function due(execution: Execution, { message, post }: MessagePost): DueMessage[] {
  switch (post.status) {
    case 'due':
      return [{ at: Math.max(post.notBefore, earlierRepliesAt(execution, message)), kind: 'post', message }];
    case 'unsure':
      return [{ at: post.notBefore, kind: 'post', message }];
    case 'posting':
      return [{ at: nextCheckAt(post), kind: 'check-claims', message }];
    case 'posted':
      if (post.shown === wantedFor(execution, message)) return [];
      return [{ at: updateAt(execution, message, post), kind: 'update', message }];
    case 'gone':
      return [];
  }
}

/** Time that a card waits for earlier replies, so that they stand above it. */
const REPLIES_MS = 2_000;

/** Returns the time until which a card waits for earlier replies; 0 if none is on its way. */
function earlierRepliesAt(execution: Execution, message: Message): Millis {
  if (message.kind !== 'card' || execution.tasks.length === 0 || execution.unfollowed !== null) return 0;
  const askedAt = findRequest(execution, message.approvalId)?.question.askedAt ?? 0;
  const isOnItsWay = ({ message: { kind }, post }: MessagePost) =>
    kind === 'task' &&
    (post.status === 'posting' || (post.status === 'due' && post.tries === 0 && post.notBefore <= askedAt));
  return postsOf(execution).some(isOnItsWay) ? askedAt + REPLIES_MS : 0;
}

/** Names the content of button values. Changing it updates the buttons that older versions have posted. */
const BUTTONS_CARRY = 'text';

/** Fingerprint of what a card should show: that of its model, and while it waits, after a space, the rules that it states. */
export function cardFingerprint(execution: Execution, request: HumanRequest): string {
  return withRules(shownOf(cardModel(execution, request)), request);
}

/** Returns the fingerprint of what a direct message should show. */
function directMessageFingerprint(execution: Execution, request: HumanRequest, to: string): string {
  const content = directMessageModel(execution, request, to);
  return withRules(content.form === 'card' ? shownOf(content.model) : fingerprint(content), request);
}

function shownOf(model: CardModel): string {
  return fingerprint(hasButtons(model) ? [BUTTONS_CARRY, model] : model);
}

function hasButtons({ state }: CardModel): boolean {
  switch (state.kind) {
    case 'pending':
    case 'undoable':
    case 'failed':
      return true;
    case 'telling':
    case 'told':
    case 'superseded':
    case 'declined':
    case 'expired':
      return false;
  }
}

function withRules(
  content: string,
  {
    state: { status },
    discussion: {
      times: { rules },
    },
  }: HumanRequest,
): string {
  return status === 'pending' && rules !== '' ? `${content} ${rules}` : content;
}

/** Returns true if two contents of a card differ only in the rules that they state. */
export function differsInRules(current: string, next: string): boolean {
  return current !== next && current.split(' ')[0] === next.split(' ')[0];
}

/** The change that the root message doesn't show yet. `progress`: only the progress of the run and the steps of its agents. */
type RootChange = 'none' | 'progress' | 'state';

/** A state never changes, and is asked several times what its root should show. */
const ROOTS = new WeakMap<Execution, string>();

/** Fingerprint of what the root should show: that of the run's state, and after a space that of its progress. */
export function rootFingerprint(execution: Execution): string {
  const earlier = ROOTS.get(execution);
  if (earlier !== undefined) return earlier;
  const { progress, plan, activitySeen, ...state } = rootModel(execution);
  const content = `${fingerprint(state)} ${fingerprint([progress, plan, activitySeen])}`;
  ROOTS.set(execution, content);
  return content;
}

/** Returns the fingerprint of the run's state alone. */
function rootStateFingerprint(execution: Execution): string {
  return stateOf(rootFingerprint(execution));
}

export function rootChange(execution: Execution): RootChange {
  const root = postOf(execution, ROOT);
  if (root?.status !== 'posted') return 'none';
  const next = rootFingerprint(execution);
  if (root.shown === next) return 'none';
  return stateOf(root.shown) === stateOf(next) ? 'progress' : 'state';
}

function stateOf(content: string): string {
  return content.split(' ')[0] ?? '';
}

/** The shortest time between two updates of a root. Cards are updated at once. */
const ROOT_PAUSE_MS = 1_000;
/** The shortest time before an update of a root that only tells progress. */
const PROGRESS_PAUSE_MS = 10_000;
/** Time that an update of the root waits for the next change after a card or a decision. */
const NEXT_CHANGE_MS = 2_000;
/** Time that the root waits for a card to link to. */
const CARD_MS = 3_000;
/** Time that the root waits for a result to link to. */
const RESULT_MS = 3_000;

type Posted = Extract<Post, { status: 'posted' }>;

/** Returns the shortest pause between two updates of a message. */
export function pauseMs({ kind }: Message): number {
  return kind === 'root' ? ROOT_PAUSE_MS : 0;
}

/** Slack's events report a message within a second or two, as long as nothing is wrong. */
const REPORT_MS = 5_000;
/** Slack repeats an event after a minute, and for the last time after five more. https://docs.slack.dev/apis/events-api#retries */
const LAST_REPORT_MS = 7 * 60_000;

/** A second copy of an alert would notify people again, so that it waits until Slack would have reported the first one. */
export function pausesOf(message: Message): Pauses {
  return { updateMs: pauseMs(message), repeatMs: message.kind === 'alert' ? LAST_REPORT_MS : REPORT_MS };
}

/** Returns the time of a message's next update: as soon as possible, unless another change is about to follow. */
function updateAt(execution: Execution, message: Message, post: Posted): Millis {
  if (post.tries > 0) return post.notBefore;
  return Math.max(post.notBefore + progressDelayMs(execution, message), nextChangeAt(execution, message));
}

/** Returns the extra pause of a root if only the progress has changed. The retry of a failed update has no extra pause. */
export function progressDelayMs(execution: Execution, { kind }: Message): number {
  if (kind !== 'root') return 0;
  const root = postOf(execution, ROOT);
  const isFailing = root?.status === 'posted' && root.tries > 0;
  return !isFailing && rootChange(execution) === 'progress' ? PROGRESS_PAUSE_MS - ROOT_PAUSE_MS : 0;
}

/** Returns the time until which another change is likely; 0 if none is near. */
function nextChangeAt(execution: Execution, message: Message): Millis {
  switch (message.kind) {
    case 'root': {
      const open = openRequest(execution);
      return open ? nextRootChangeAt(execution, open) : resultAt(execution);
    }
    case 'card':
    case 'copy':
    case 'direct-message':
      return crewAnswerAt(findRequest(execution, message.approvalId), ANSWER_MS);
    case 'follow-up':
      return message.approvalId === null ? 0 : crewAnswerAt(findRequest(execution, message.approvalId), ANSWER_MS);
    case 'alert':
    case 'notice':
    case 'file':
    case 'task':
    case 'ending':
      return 0;
  }
}

/**
 * Returns how long an update of the root waits for the result, which is posted at about the same time, to link to it; 0 if none is
 * near.
 */
function resultAt(execution: Execution): Millis {
  const { run } = execution;
  const ending = postOf(execution, ENDING);
  const isNear = ending?.status === 'due' || ending?.status === 'posting';
  return isNear && (run.status === 'completed' || run.status === 'failed') ? run.endedAt + RESULT_MS : 0;
}

function nextRootChangeAt(execution: Execution, open: HumanRequest): Millis {
  if (open.state.status !== 'pending') return crewAnswerAt(open, NEXT_CHANGE_MS);
  const mostAt = open.question.askedAt + CARD_MS;
  const card = postOf(execution, { kind: 'card', approvalId: open.id });
  return card?.status === 'posted' ? Math.min(mostAt, card.notBefore + NEXT_CHANGE_MS) : mostAt;
}
