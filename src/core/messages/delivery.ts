import { addRecipients, alertOutside } from '../approval/alerts.ts';
import { isOpen } from '../approval/approval.ts';
import { whyClosed } from '../approval/permission.ts';
import { type Execution, findApproval, withApproval } from '../execution/execution.ts';
import { backoffMs, type Millis } from '../time.ts';
import { pauseMs, progressDelayMs, wantedFor } from './due-messages.ts';
import { directlyTo, type Message, messagesOf, postOf, renderPlainer, withDirectMessage, withPost } from './message.ts';
import { withNotices } from './notices.ts';
import {
  claimPosting,
  duePost,
  isRefused,
  type Post,
  type PostOutcome,
  settlePosting,
  settleUpdate,
  tsOf,
  UNKNOWN_CONTENT,
  type UpdateOutcome,
} from './post.ts';

/** Only the worker whose claim is stored may post. Returns the same execution if there is nothing to claim. */
export function claimMessage(execution: Execution, message: Message, process: string, now: Millis): Execution {
  return withPost(execution, message, (post) => (isDue(post, now) ? claimPosting(post, process, now) : post));
}

/**
 * Puts off a message whose turn under Slack's rate limits is far away. An update that only tells
 * progress doesn't put off one that tells more.
 */
export function postpone(execution: Execution, message: Message, waitMs: Millis, now: Millis): Execution {
  const notBefore = now + waitMs - progressDelayMs(execution, message);
  return withPost(execution, message, (post) =>
    'notBefore' in post ? { ...post, notBefore: Math.max(post.notBefore, notBefore) } : post,
  );
}

/**
 * Records the outcome of a posting, matched by its attempt. A posted card is never forgotten: if a later attempt has posted
 * another one meanwhile, it becomes a copy.
 */
export function settleMessage(
  execution: Execution,
  { message, attempt, outcome }: { message: Message; attempt: number; outcome: PostOutcome },
  now: Millis,
): Execution {
  const posted = withPost(plainerAfter(execution, message, outcome, now), message, (post) =>
    settlePosting(post, attempt, outcome, now, pauseMs(message)),
  );
  if (outcome.kind !== 'posted') return posted;
  const told = tellOutside(moveThread(posted, outcome), message, outcome, now);
  const settled = learnRecipients(told, message, outcome, now);
  if (message.kind === 'direct-message')
    return withDirectMessage(settled, message, { channel: outcome.channel ?? null });
  if (message.kind !== 'card') return settled;
  const mentioned = withMentioned(settled, message.approvalId, outcome.mentioned ?? []);
  return learnCopy(mentioned, { approvalId: message.approvalId, ts: outcome.ts }, now);
}

/** Those whom a message would mention, but who aren't in the channel, hear of it directly. */
function tellOutside(
  execution: Execution,
  message: Message,
  { outside = [] }: Extract<PostOutcome, { kind: 'posted' }>,
  now: Millis,
): Execution {
  if (message.kind === 'alert') return alertOutside(execution, message, outside, now);
  if (message.kind !== 'ending') return execution;
  return { ...execution, notices: withNotices(execution.notices, outside, { kind: 'ended' }, now) };
}

/** Who is told directly of a card, or of an escalation, is stored with that it is there. */
function learnRecipients(
  execution: Execution,
  message: Message,
  { recipients }: Extract<PostOutcome, { kind: 'posted' }>,
  now: Millis,
): Execution {
  const isAboutRequest = message.kind === 'card' || message.kind === 'alert';
  return isAboutRequest && recipients ? addRecipients(execution, message.approvalId, recipients, now) : execution;
}

/** A card mentions people once: what its updates show stays as it was, and a card in its place mentions nobody. */
function withMentioned(execution: Execution, approvalId: string, mentioned: readonly string[]): Execution {
  const approval = findApproval(execution, approvalId);
  return approval?.mentioned === null ? withApproval(execution, { ...approval, mentioned }) : execution;
}

function plainerAfter(execution: Execution, message: Message, outcome: PostOutcome, now: Millis): Execution {
  if (outcome.kind !== 'content-refused' || outcome.plainer === null) return execution;
  return renderPlainer(execution, message, outcome.plainer, now);
}

/**
 * When a whole thread was deleted, Slack puts a reply to it into the channel. That reply becomes the new thread, so that
 * later ones don't land in the channel one by one.
 */
function moveThread(execution: Execution, { ts, lostThread }: { ts: string; lostThread?: string }): Execution {
  const isCurrent = lostThread !== undefined && tsOf(execution.root) === lostThread;
  return isCurrent ? { ...execution, root: { status: 'gone', ts } } : execution;
}

/** Makes the cards of open requests due for an update although nothing changed, which shows whether they still exist. */
export function recheckCards(execution: Execution, now: Millis): Execution {
  return execution.approvals
    .filter(isOpen)
    .reduce((each, { id: approvalId }) => recheckMessage(each, { kind: 'card', approvalId }, now), execution);
}

/** Makes all that shows one request due for an update, as it may be about another text. */
export function recheckRequest(execution: Execution, approvalId: string, now: Millis): Execution {
  return messagesOf(execution)
    .filter((message) => showsRequest(message, approvalId))
    .reduce((each, message) => recheckMessage(each, message, now), execution);
}

/**
 * Makes a message due for an update that a person has clicked although its request is closed. If the record says that it shows
 * that already, Slack has carried out an older update last, and the processes that knew of both have died.
 */
export function recheckClicked(
  execution: Execution,
  { approvalId, ts }: { approvalId: string; ts: string },
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  if (!approval || whyClosed(approval) === null) return execution;
  return messagesOf(execution)
    .filter((message) => showsRequest(message, approvalId))
    .filter((message) => {
      const post = postOf(execution, message);
      return post?.status === 'posted' && post.ts === ts && post.shown === wantedFor(execution, message);
    })
    .reduce((each, message) => recheckMessage(each, message, now), execution);
}

function showsRequest(message: Message, approvalId: string): boolean {
  switch (message.kind) {
    case 'card':
    case 'copy':
    case 'follow-up':
    case 'direct-message':
      return message.approvalId === approvalId;
    case 'alert':
    case 'notice':
    case 'root':
    case 'task':
    case 'ending':
    case 'file':
      return false;
  }
}

/** Makes a message due for an update although nothing changed, as nobody knows what it shows. */
export function recheckMessage(execution: Execution, message: Message, now: Millis): Execution {
  return withPost(execution, message, (post) =>
    post.status === 'posted' ? { ...post, shown: UNKNOWN_CONTENT, notBefore: Math.max(post.notBefore, now) } : post,
  );
}

/**
 * Records the outcome of an update. An open request whose card was deleted gets a new one. For one that can't be changed any more,
 * and still has its buttons, a follow-up tells from now on what it doesn't.
 */
export function settleRefresh(
  execution: Execution,
  { message, ...update }: UpdateOutcome & { message: Message },
  now: Millis,
): Execution {
  const { outcome } = update;
  const open = message.kind === 'card' && outcome.kind === 'gone' && findApproval(execution, message.approvalId);
  const settled = plainerAfter(execution, message, outcome, now);
  if (open && isOpen(open))
    return withApproval(settled, { ...open, card: duePost(now), mentioned: open.mentioned ?? [] });
  // That a text is about to expire is no reason to reply in an old thread.
  const isTold = outcome.kind === 'frozen' && !execution.expiry?.isTold;
  // What it tells next is another reply.
  if (isTold && message.kind === 'follow-up') return withPost(settled, message, () => duePost(now));
  const told = isTold ? withFollowUp(settled, message, now) : settled;
  return withPost(told, message, (post) => settleUpdate(post, update, now, pauseMs(message)));
}

function withFollowUp(execution: Execution, message: Message, now: Millis): Execution {
  switch (message.kind) {
    case 'root':
      return { ...execution, followUp: duePost(now) };
    case 'card': {
      const approval = findApproval(execution, message.approvalId);
      return approval ? withApproval(execution, { ...approval, followUp: duePost(now) }) : execution;
    }
    case 'copy':
    case 'follow-up':
    case 'alert':
    case 'direct-message':
    case 'notice':
    case 'file':
    case 'task':
    case 'ending':
      return execution;
  }
}

/** What Slack hasn't taken into the channel yet. */
export function refusedMessages(execution: Execution): Message[] {
  return messagesOf(execution).filter(
    (message) => directlyTo(execution, message) === null && isRefused(postOf(execution, message)),
  );
}

/** Has it posted and updated now, since Slack may take it again. */
export function retryRefused(execution: Execution, now: Millis): Execution {
  return refusedMessages(execution).reduce(
    (each, message) =>
      withPost(each, message, (post) =>
        'notBefore' in post && post.notBefore > now ? { ...post, notBefore: now } : post,
      ),
    execution,
  );
}

/**
 * Records a card that we didn't know of, found by a click or a late answer. If the posting of the card is in doubt, this is
 * the card; otherwise it is a copy, which is kept up to date as well.
 */
export function learnCopy(
  execution: Execution,
  { approvalId, ts }: { approvalId: string; ts: string },
  now: Millis,
): Execution {
  const approval = findApproval(execution, approvalId);
  const isFollowUp = approval?.followUp != null && tsOf(approval.followUp) === ts;
  if (!approval || isFollowUp || approval.copies.some((copy) => copy.ts === ts)) return execution;
  const found: Post = { status: 'posted', ts, shown: UNKNOWN_CONTENT, tries: 0, notBefore: now };
  switch (approval.card.status) {
    case 'due':
    case 'unsure':
    case 'posting':
      return withApproval(execution, { ...approval, card: found });
    case 'posted':
    case 'gone':
      if (approval.card.ts === ts) return execution;
      return withApproval(execution, { ...approval, copies: [...approval.copies, { ts, post: found }] });
  }
}

/** Records that the starter learns of the outcome by the answer to their own request. */
export function answerStarter(execution: Execution): Execution {
  return execution.starterNotice.status === 'due' ? { ...execution, starterNotice: { status: 'told' } } : execution;
}

const MOST_TRIES = 8;

/** Records whether the starter was told. Given up after some minutes: by then they have noticed. */
export function settleStarterNotice(execution: Execution, outcome: 'told' | 'later', now: Millis): Execution {
  const { starterNotice } = execution;
  if (starterNotice.status !== 'due') return execution;
  const tries = starterNotice.tries + 1;
  if (outcome === 'told' || tries >= MOST_TRIES) return { ...execution, starterNotice: { status: 'told' } };
  const notBefore = now + backoffMs(tries, { firstMs: 1_000, mostMs: 30_000 });
  return { ...execution, starterNotice: { status: 'due', tries, notBefore } };
}

function isDue(post: Post, now: Millis): boolean {
  return (post.status === 'due' || post.status === 'unsure') && post.notBefore <= now;
}
