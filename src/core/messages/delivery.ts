import { renewStatus } from '../execution/run.ts';
import { whyClosed } from '../policy/refusal.ts';
import { addRecipients, alertOutside } from '../request/alerts.ts';
import type { ClaimCheck } from '../state/claim.ts';
import {
  alertOf,
  directMessageOf,
  type Execution,
  findRequest,
  placeInThread,
  recipientOf,
  requestOfAsk,
  threadTsOf,
  withRequest,
} from '../state/execution.ts';
import {
  addMessage,
  cardTsOf,
  copiesOf,
  type Message,
  type MessagePost,
  messageKey,
  messagesOf,
  parseMessageKey,
  postOf,
  postsOf,
  ROOT,
  renderPlainer,
  tsOf,
  withPost,
  withPosts,
} from '../state/message.ts';
import { withNotices } from '../state/notices.ts';
import {
  checkPosting,
  claimPosting,
  contentOf,
  duePost,
  isOver,
  isRefused,
  type Post,
  type PostOutcome,
  type SlackReport,
  settlePosting,
  settleReport,
  settleUpdate,
  UNKNOWN_CONTENT,
  type UpdateOutcome,
} from '../state/post.ts';
import { type HumanRequest, isOpen } from '../state/request.ts';
import { backoffMs, type Millis } from '../values/time.ts';
import { pauseMs, pausesOf, progressDelayMs, rootChange, wantedFor } from './due-messages.ts';

// Records what happens to the messages of an execution: claims, outcomes of posts and updates, what Slack's events report of
// messages (`MessageReport`), cards in place of deleted ones, and the notice to the starter. The worker and Slack's listeners use it.

/** Claims a posting: only the worker whose claim is stored may post. Returns the same execution if there is nothing to claim. */
export function claimMessage(execution: Execution, message: Message, process: string, now: Millis): Execution {
  return withPost(execution, message, (post) => (isDue(post, now) ? claimPosting(post, process, now) : post));
}

/**
 * Puts off a message whose turn under Slack's rate limits is far away. An update that only shows progress is put off by no more than
 * the usual pause, so that a change of state that comes meanwhile, such as the end, isn't put off with it. It then asks for its turn
 * again.
 */
export function postpone(execution: Execution, message: Message, waitMs: Millis, now: Millis): Execution {
  const isProgress = message.kind === 'root' && rootChange(execution) === 'progress';
  const delayMs = waitMs - progressDelayMs(execution, message);
  const notBefore = now + (isProgress ? Math.min(delayMs, pauseMs(message)) : delayMs);
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
  const settled = withPost(plainerAfter(execution, message, outcome, now), message, (post) =>
    settlePosting(post, { attempt, outcome }, now, pausesOf(message)),
  );
  switch (outcome.kind) {
    case 'posted': {
      const before = postOf(execution, message);
      const earlier = before?.status === 'posting' ? before.told : null;
      const isInThread = recipientOf(execution, message) === null;
      const delivered = tellOutside(isInThread ? renewStatus(settled, now) : settled, message, outcome, now);
      const placed = learnPlace(learnAudience(delivered, message, outcome, now), message, outcome, now);
      return earlier
        ? learnPosted(placed, { ...earlier, key: messageKey(message), channel: execution.channel }, now)
        : placed;
    }
    case 'unknown':
      return learnAudience(settled, message, outcome, now);
    case 'later':
    case 'refused':
    case 'gone':
    case 'frozen':
    case 'content-refused':
      return settled;
  }
}

/** Notifies people directly whom a message mentions although they aren't in the channel. */
function tellOutside(
  execution: Execution,
  message: Message,
  { outside = [] }: Extract<PostOutcome, { kind: 'posted' }>,
  now: Millis,
): Execution {
  if (message.kind === 'alert') return alertOutside(execution, message, outside, now);
  if (message.kind !== 'ending') return execution;
  return withNotices(execution, outside, { kind: 'ended' }, now);
}

function learnPlace(
  execution: Execution,
  message: Message,
  outcome: Extract<PostOutcome, { kind: 'posted' }>,
  now: Millis,
): Execution {
  if (message.kind === 'direct-message') return withDirectChannel(execution, message, outcome.channel ?? null);
  const moved = moveThread(execution, outcome, now);
  return message.kind === 'card' ? learnCopy(moved, { approvalId: message.approvalId, ts: outcome.ts }, now) : moved;
}

/** Records the conversation that a direct message is in. */
function withDirectChannel(
  execution: Execution,
  { approvalId, to }: Extract<Message, { kind: 'direct-message' }>,
  channel: string | null,
): Execution {
  const request = findRequest(execution, approvalId);
  if (!request) return execution;
  const { directMessages } = request.discussion;
  const list = directMessages.list.map((each) => (each.to === to ? { ...each, channel } : each));
  return withRequest(execution, {
    ...request,
    discussion: { ...request.discussion, directMessages: { ...directMessages, list } },
  });
}

/** Stores whom a card mentions and who gets a direct message, together with the fact that the message exists or may exist. */
function learnAudience(
  execution: Execution,
  message: Message,
  outcome: Extract<PostOutcome, { kind: 'posted' | 'unknown' }>,
  now: Millis,
): Execution {
  if (message.kind !== 'card' && message.kind !== 'alert') return execution;
  const { recipients, mentioned = outcome.kind === 'posted' ? [] : null } = outcome;
  const withRecipients = recipients ? addRecipients(execution, message.approvalId, recipients, now) : execution;
  return message.kind === 'card' && mentioned
    ? withMentioned(withRecipients, message.approvalId, mentioned)
    : withRecipients;
}

/** Ends the claim of a posting that can no longer be answered. */
export function checkMessage(execution: Execution, message: Message, check: ClaimCheck): Execution {
  const checked = withPost(execution, message, (post) => checkPosting(post, check, pausesOf(message)));
  const isPosted = checked !== execution && postOf(checked, message)?.status === 'posted';
  return isPosted ? findAudience(checked, message, check.now) : checked;
}

/** A message of ours, as an event of Slack reports it. */
export interface MessageReport extends SlackReport {
  key: string;
  channel: string;
}

/**
 * Records that a message exists because Slack reports it, for postings that got no answer. If we know the card elsewhere, the reported
 * one is a copy.
 */
export function learnPosted(execution: Execution, { key, channel, ...report }: MessageReport, now: Millis): Execution {
  const { message, post } = findByKey(execution, key) ?? {};
  if (!message || !post || !isIn(execution, message, channel) || isKnownCopy(execution, message, report))
    return execution;
  if (tsOf(post) !== null)
    return message.kind === 'card'
      ? learnCopy(execution, { approvalId: message.approvalId, ts: report.ts }, now)
      : execution;
  const settled = withPost(execution, message, (each) => settleReport(each, report, now, pausesOf(message)));
  const placed = message.kind === 'direct-message' ? withDirectChannel(settled, message, channel) : settled;
  return post.status === 'posting' ? placed : findAudience(placed, message, now);
}

/** Returns true if Slack reports a second copy of a message that we know elsewhere, and that has no buttons. */
export function isDuplicate(execution: Execution, { key, channel, ts }: MessageReport): boolean {
  const { message, post } = findByKey(execution, key) ?? {};
  const postedTs = post && tsOf(post);
  if (!message || postedTs == null || postedTs === ts || !isIn(execution, message, channel)) return false;
  switch (message.kind) {
    case 'root':
    case 'alert':
    case 'direct-message':
    case 'notice':
    case 'task':
    case 'ending':
      return true;
    case 'card':
    case 'copy':
    // There may be several of them, one after the other.
    case 'follow-up':
    case 'file':
      return false;
  }
}

function findByKey(execution: Execution, key: string): MessagePost | null {
  const message = parseMessageKey(key);
  const post = message && postOf(execution, message);
  return message && post ? { message, post } : null;
}

/** Records that a message of ours was deleted. */
export function learnDeleted(
  execution: Execution,
  { channel, ts }: { channel: string; ts: string },
  now: Millis,
): Execution {
  const deleted = postsOf(execution).find(
    ({ message, post }) => post.status === 'posted' && post.ts === ts && isIn(execution, message, channel),
  );
  if (!deleted) return execution;
  const { message } = deleted;
  return settleRefresh(execution, { message, outcome: { kind: 'gone' }, replaced: UNKNOWN_CONTENT }, now);
}

/** Returns true if the message can be in this channel. The conversation of a direct message may not be known yet. */
function isIn(execution: Execution, message: Message, channel: string): boolean {
  if (message.kind === 'notice') return true;
  if (message.kind !== 'direct-message') return channel === execution.channel;
  const ownChannel = directMessageOf(execution, message)?.channel ?? null;
  return ownChannel === null || ownChannel === channel;
}

function isKnownCopy(execution: Execution, message: Message, { ts }: SlackReport): boolean {
  return message.kind === 'card' && postOf(execution, { ...message, kind: 'copy', ts }) !== null;
}

/**
 * Makes the audience of a message due again. Only the process that posted it knew whom it mentions and who gets direct messages, and
 * that process may have died. Nobody is mentioned once more, and the recipients of direct messages are looked up anew.
 */
function findAudience(execution: Execution, message: Message, now: Millis): Execution {
  if (message.kind !== 'card' && message.kind !== 'alert') return execution;
  const request = findRequest(execution, message.approvalId);
  if (!request || !isAudienceUnknown(execution, request, message)) return execution;
  const { directMessages: listing, mentioned } = request.discussion;
  const directMessages =
    listing.status === 'due' ? listing : { ...listing, status: 'due' as const, tries: 0, notBefore: now };
  return withRequest(execution, {
    ...request,
    discussion: { ...request.discussion, mentioned: mentioned ?? [], directMessages },
  });
}

function isAudienceUnknown(
  execution: Execution,
  { discussion: { mentioned } }: HumanRequest,
  message: Message,
): boolean {
  return message.kind === 'alert' ? alertOf(execution, message)?.kind !== 'reminder' : mentioned === null;
}

/** Records the mentions of a card once: its updates keep them, and a card in its place mentions nobody. */
function withMentioned(execution: Execution, approvalId: string, mentioned: readonly string[]): Execution {
  const request = findRequest(execution, approvalId);
  return request?.discussion.mentioned === null
    ? withRequest(execution, { ...request, discussion: { ...request.discussion, mentioned } })
    : execution;
}

function plainerAfter(execution: Execution, message: Message, outcome: PostOutcome, now: Millis): Execution {
  if (outcome.kind !== 'content-refused' || outcome.plainer === null) return execution;
  return renderPlainer(execution, message, outcome.plainer, now);
}

/**
 * Slack puts a reply to a deleted thread into the channel. That reply becomes the new thread, so that
 * later ones don't land in the channel one by one. Where the thread began with the card of an open request, a new card begins it.
 * An ask whose card was to follow another one begins a thread of its own.
 */
function moveThread(
  execution: Execution,
  { ts, lostThread }: { ts: string; lostThread?: string },
  now: Millis,
): Execution {
  const isCurrent = lostThread !== undefined && threadTsOf(execution) === lostThread;
  if (!isCurrent) return execution;
  const request = requestOfAsk(execution);
  if (!request) return withPost(execution, ROOT, () => ({ status: 'gone', ts }));
  const begun = placeInThread(execution, { status: 'begins' });
  if (cardTsOf(begun, request) === ts) return begun;
  if (isOpen(request)) return withNewCard(begun, request, now);
  return withPost(begun, { kind: 'card', approvalId: request.id }, () => ({ status: 'gone', ts }));
}

/** Makes all that shows one request due for an update, as it may be about another text. */
export function recheckRequest(execution: Execution, approvalId: string, now: Millis): Execution {
  const messages = messagesOf(execution).filter((message) => showsRequest(message, approvalId));
  return recheckMessages(execution, messages, now);
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
  const request = findRequest(execution, approvalId);
  if (!request || whyClosed(request) === null) return execution;
  const clicked = postsOf(execution)
    .filter(({ message, post }) => showsRequest(message, approvalId) && post.status === 'posted' && post.ts === ts)
    .filter(({ message, post }) => contentOf(post) === wantedFor(execution, message));
  return recheckMessages(
    execution,
    clicked.map(({ message }) => message),
    now,
  );
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

/** Makes messages due for an update although nothing changed, as nobody knows what they show. */
export function recheckMessages(execution: Execution, messages: readonly Message[], now: Millis): Execution {
  return withPosts(execution, messages, (post) =>
    post.status === 'posted' ? { ...post, shown: UNKNOWN_CONTENT, notBefore: Math.max(post.notBefore, now) } : post,
  );
}

/**
 * Records the outcome of an update. An open request whose card was deleted gets a new one. Where a message can't be changed any more,
 * a follow-up in the thread shows from now on what that message doesn't.
 */
export function settleRefresh(
  execution: Execution,
  { message, ...update }: UpdateOutcome & { message: Message },
  now: Millis,
): Execution {
  const { outcome } = update;
  const open = message.kind === 'card' && outcome.kind === 'gone' && findRequest(execution, message.approvalId);
  const settled = plainerAfter(execution, message, outcome, now);
  if (open && isOpen(open)) return withNewCard(settled, open, now);
  // Texts that are about to expire are no reason to reply in an old thread.
  const needsFollowUp = outcome.kind === 'frozen' && !execution.expiry?.isTold;
  // The next follow-up is another reply.
  if (needsFollowUp && message.kind === 'follow-up') return withPost(settled, message, () => duePost(now));
  const updated = needsFollowUp ? withFollowUp(settled, message, now) : settled;
  return withPost(updated, message, (post) => settleUpdate(post, update, now, pauseMs(message)));
}

/** Pauses before a card is posted anew: somebody who deletes every card must not make us post for ever. */
const NEXT_CARD = { firstMs: 15_000, mostMs: 60 * 60_000 };

/** The deleted card stays known, so that a late report of Slack about it isn't taken for another copy. */
function withNewCard(execution: Execution, open: HumanRequest, now: Millis): Execution {
  const { id: approvalId } = open;
  const deleted = copiesOf(execution, approvalId).filter(({ post }) => post.status === 'gone').length;
  const ts = cardTsOf(execution, open);
  const card = duePost(now + (deleted === 0 ? 0 : backoffMs(deleted, NEXT_CARD)));
  const renewed = withPost(execution, { kind: 'card', approvalId }, () => card);
  const after = ts === null ? renewed : addMessage(renewed, { kind: 'copy', approvalId, ts }, { status: 'gone', ts });
  return withMentioned(after, approvalId, []);
}

function withFollowUp(execution: Execution, message: Message, now: Millis): Execution {
  switch (message.kind) {
    case 'root':
      return addMessage(execution, { kind: 'follow-up', approvalId: null }, duePost(now));
    case 'card':
      return addMessage(execution, { ...message, kind: 'follow-up' }, duePost(now));
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

/** Returns the messages that Slack hasn't taken into the channel yet. */
export function refusedMessages(execution: Execution): Message[] {
  return postsOf(execution).flatMap(({ message, post }) =>
    isRefused(post) && recipientOf(execution, message) === null ? [message] : [],
  );
}

/** Makes refused messages due now, since Slack may take them again. */
export function retryRefused(execution: Execution, now: Millis): Execution {
  return withPosts(execution, refusedMessages(execution), (post) =>
    'notBefore' in post && post.notBefore > now ? { ...post, notBefore: now } : post,
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
  const message: Message = { kind: 'card', approvalId };
  const copy: Message = { kind: 'copy', approvalId, ts };
  const card = postOf(execution, message);
  const isFollowUp = tsOf(postOf(execution, { kind: 'follow-up', approvalId })) === ts;
  if (!card || isFollowUp || postOf(execution, copy)) return execution;
  const posted: Post = { status: 'posted', ts, shown: UNKNOWN_CONTENT, tries: 0, notBefore: now };
  if (!isOver(card)) return withPost(execution, message, () => posted);
  return tsOf(card) === ts ? execution : addMessage(execution, copy, posted);
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
