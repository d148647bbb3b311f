import { backoffMs, type Millis } from '../values/time.ts';
import { type ClaimCheck, type Claimed, checkClaim, claimedBy } from './claim.ts';

// The delivery of one message to Slack: the states of a post, and their transitions.

/**
 * The delivery of one Slack message. Posting can't be repeated safely, so it is claimed with an attempt number first; if the
 * outcome stays unknown, the post is `unsure` and waits for Slack's events to report the message before it is posted again. Updates
 * can be repeated: one is due whenever `shown` differs from what the state says. `mayExist`: an earlier attempt may have posted the
 * message. `told`: Slack has reported it while the answer is awaited.
 */
export type Post =
  | { status: 'due'; tries: number; notBefore: Millis }
  | ({ status: 'posting'; tries: number; attempt: number; mayExist: boolean; told: SlackReport | null } & Claimed)
  | { status: 'unsure'; tries: number; notBefore: Millis }
  | { status: 'posted'; ts: string; shown: string; tries: number; notBefore: Millis }
  | { status: 'gone'; ts: string | null };

/** A message as an event of Slack reports it; `shown` as in a post. */
export interface SlackReport {
  ts: string;
  shown: string;
}

/** People whom a message notifies, as far as the process that posts it knows. */
interface Audience {
  /** People and groups that a card mentions. */
  mentioned?: readonly string[];
  /** Others who get a direct message from now on. */
  recipients?: Recipients;
  /** People whom an alert or the ending mentions although they aren't in the channel. */
  outside?: readonly string[];
}

/** Outcome of a Slack call for a post. */
export type PostOutcome =
  | ({
      kind: 'posted';
      ts: string;
      shown: string;
      /** The thread that a reply was meant for: it no longer exists, and the message is in the channel instead. */
      lostThread?: string;
      /** The conversation that a direct message is in. */
      channel?: string;
    } & Audience)
  /** A refusal that passes: a rate limit, an outage. */
  | { kind: 'later'; waitMs: number | null }
  /** One that lasts until a person changes something in Slack: an archived channel, a revoked token. */
  | { kind: 'refused' }
  | ({ kind: 'unknown' } & Audience)
  /** The message was deleted. */
  | { kind: 'gone' }
  /** The message is there, but can't be changed any more. */
  | { kind: 'frozen' }
  /** Slack refused the message, and this rendering isn't sent again. `plainer`: the next one that differs from it; null if none does. */
  | { kind: 'content-refused'; plainer: Rendering | null };

const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000 };
/** Slack reports most changes that let it take the message, such as a channel that is back: these tries are for the others. */
const RETRY_REFUSED = { firstMs: 30_000, mostMs: 4 * 60 * 60_000 };

/** Returns a post that is due at once. */
export function duePost(now: Millis): Post {
  return { status: 'due', tries: 0, notBefore: now };
}

/** Claims a posting: only the worker whose claim is stored may post. */
export function claimPosting(post: Post, process: string, now: Millis): Post {
  if (post.status !== 'due' && post.status !== 'unsure') return post;
  const attempt = post.tries + 1;
  const mayExist = post.status === 'unsure';
  return { status: 'posting', tries: attempt, attempt, ...claimedBy(process, now), mayExist, told: null };
}

/** Pauses before a posted message is updated, and before one that may exist is posted again. */
export interface Pauses {
  updateMs: number;
  repeatMs: number;
}

/** The worker died or its call never returned: nobody but Slack knows whether the message exists. */
export function checkPosting(post: Post, check: ClaimCheck, { updateMs, repeatMs }: Pauses): Post {
  if (post.status !== 'posting') return post;
  const checked = checkClaim(post, check, 0);
  if (checked !== 'over') return checked;
  if (post.told) return postedAs(post.told, check.now + updateMs);
  return { status: 'unsure', tries: post.tries, notBefore: check.now + repeatMs };
}

/** Records that Slack reports the message. If the answer to its posting is still awaited, the wait goes on: the answer says more. */
export function settleReport(post: Post, message: SlackReport, now: Millis, { updateMs }: Pauses): Post {
  switch (post.status) {
    case 'due':
    case 'unsure':
      return postedAs(message, now + updateMs);
    case 'posting':
      return post.told?.ts === message.ts ? post : { ...post, told: message };
    case 'gone':
      return post.ts === null ? postedAs(message, now + updateMs) : post;
    case 'posted':
      return post;
  }
}

function postedAs({ ts, shown }: SlackReport, notBefore: Millis): Post {
  return { status: 'posted', ts, shown, tries: 0, notBefore };
}

/** Records the outcome of a posting, also a late one: the first that shows the message to exist wins. */
export function settlePosting(
  post: Post,
  { attempt, outcome }: { attempt: number; outcome: PostOutcome },
  now: Millis,
  { updateMs, repeatMs }: Pauses,
): Post {
  if (post.status === 'posted' || post.status === 'gone') return post;
  if (outcome.kind === 'posted') return postedAs(outcome, now + updateMs);
  if (post.status !== 'posting' || post.attempt !== attempt) return post;
  if (post.told) return postedAs(post.told, now + updateMs);
  switch (outcome.kind) {
    case 'gone':
    case 'frozen':
      return { status: 'gone', ts: null };
    case 'unknown':
      return { status: 'unsure', tries: post.tries, notBefore: now + Math.max(repeatMs, backoffMs(post.tries, RETRY)) };
    case 'later':
    case 'refused':
    case 'content-refused': {
      const status = post.mayExist ? 'unsure' : 'due';
      return { status, tries: post.tries, notBefore: now + retryMs(outcome, post.tries) };
    }
  }
}

/** Outcome of an update. `replaced`: the message's content when the update began. */
export interface UpdateOutcome {
  outcome: PostOutcome;
  replaced: string;
}

/** Stands for content that nobody knows: it differs from whatever the message should show, so that an update is due. */
export const UNKNOWN_CONTENT = '';

/** Returns the fingerprint of what the message shows, as far as the record tells. */
export function contentOf(post: Post | null): string {
  return post?.status === 'posted' ? post.shown : UNKNOWN_CONTENT;
}

/**
 * Records the outcome of an update. The next update waits at least `debounceMs`, so that changes are coalesced. Slack may
 * carry out two updates that overlapped in either order, so that only another one makes sure of what the message shows.
 */
export function settleUpdate(post: Post, { outcome, replaced }: UpdateOutcome, now: Millis, debounceMs: number): Post {
  if (post.status !== 'posted') return post;
  const hasOverlapped = post.shown !== replaced;
  switch (outcome.kind) {
    case 'posted': {
      const isSure = !hasOverlapped || post.shown === outcome.shown;
      return { ...post, shown: isSure ? outcome.shown : UNKNOWN_CONTENT, tries: 0, notBefore: now + debounceMs };
    }
    case 'gone':
    case 'frozen':
      return { status: 'gone', ts: post.ts };
    case 'unknown':
      return { ...post, ...nextTry(post, outcome, now), shown: hasOverlapped ? UNKNOWN_CONTENT : post.shown };
    case 'later':
    case 'refused':
    case 'content-refused':
      return { ...post, ...nextTry(post, outcome, now) };
  }
}

function nextTry({ tries }: { tries: number }, outcome: PostOutcome, now: Millis) {
  return { tries: tries + 1, notBefore: now + retryMs(outcome, tries) };
}

function retryMs(outcome: PostOutcome, tries: number): number {
  if (outcome.kind === 'content-refused') return outcome.plainer === null ? RETRY.mostMs : 0;
  if (outcome.kind === 'refused') return backoffMs(tries, RETRY_REFUSED);
  return outcome.kind === 'later' && outcome.waitMs !== null ? outcome.waitMs : backoffMs(tries, RETRY);
}

/** Returns true if a try to post or update the message has failed, and there will be another one. */
export function isRefused(post: Post | null): boolean {
  return post !== null && 'tries' in post && post.status !== 'posting' && post.tries > 0;
}

/** Returns true if the message is posted, was deleted, or will never be posted. */
export function isOver(post: Post | null): boolean {
  return post?.status === 'posted' || post?.status === 'gone';
}

/**
 * The renderings of a message, plainest last. Slack may refuse what a crew wrote, in ways that nobody has documented:
 * then the message is sent in a plainer rendering, never again in the refused one. `older-blocks` has neither plans nor containers, which
 * not every workspace takes. `bare` shows no foreign text at all.
 */
export const RENDERINGS = ['full', 'older-blocks', 'rich-text', 'plain-text', 'bare'] as const;

export type Rendering = (typeof RENDERINGS)[number];

/** The renderings that are left once this one was refused. */
export function plainerThan(rendering: Rendering): readonly Rendering[] {
  return RENDERINGS.slice(RENDERINGS.indexOf(rendering) + 1);
}

/**
 * A person who gets a direct message, and the reason: their own setting, which may change before it is posted, what others chose, or that a mention
 * doesn't reach them, as they aren't in the channel.
 */
export interface Recipient {
  /** The id of the person. */
  to: string;
  reason: 'policy' | 'handed-over' | 'setting' | 'outside';
}

/** People who get a direct message. `isComplete`: false while Slack can't tell for some of them. */
export interface Recipients {
  people: readonly Recipient[];
  /** Number of people beyond the limit. */
  untold: number;
  isComplete: boolean;
}
