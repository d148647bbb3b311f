import type { Millis } from '../time.ts';
import { backoffMs } from '../time.ts';

/**
 * The delivery of one Slack message. A first posting can't be repeated safely, so it is claimed with an attempt number
 * before it is sent; when its outcome stays unknown it is `unsure` and looked up before it is posted again. Updates can be
 * repeated: one is owed whenever what is `shown` is not what the state says. `mayExist` says that an earlier attempt may
 * have left the message behind.
 */
export type Post =
  | { status: 'due'; tries: number; notBefore: Millis }
  | { status: 'posting'; tries: number; attempt: number; until: Millis; mayExist: boolean }
  | { status: 'unsure'; tries: number; notBefore: Millis }
  | { status: 'posted'; ts: string; shown: string; tries: number; notBefore: Millis }
  | { status: 'gone'; ts: string | null };

/** How a Slack call for a post went. `lostThread` is the thread that a reply was meant for and that is not there any more:
 * the message stands in the channel instead. `later` is a refusal that may pass (rate limit, outage, archived
 * channel); `gone` one that won't (the message was deleted). */
export type PostOutcome =
  | { kind: 'posted'; ts: string; shown: string; lostThread?: string }
  | { kind: 'later'; waitMs: number | null }
  | { kind: 'unknown' }
  | { kind: 'gone' };

/** Longer than a posting may take, its look-up and all parts of an upload included. */
export const POST_CLAIM_MS = 40_000;

const RETRY = { firstMs: 1_000, mostMs: 5 * 60_000 };

/** A message that is to be posted as soon as possible. */
export function duePost(now: Millis): Post {
  return { status: 'due', tries: 0, notBefore: now };
}

/** When this post next needs somebody, given the fingerprint of what it should show; null when nothing is owed. */
export function postDueAt(post: Post, wanted: string): Millis | null {
  switch (post.status) {
    case 'due':
    case 'unsure':
      return post.notBefore;
    case 'posting':
      return post.until;
    case 'posted':
      return post.shown === wanted ? null : post.notBefore;
    case 'gone':
      return null;
  }
}

/** Only the worker whose claim is stored may post. */
export function claimPosting(post: Post, now: Millis): Post {
  if (post.status !== 'due' && post.status !== 'unsure') return post;
  const attempt = post.tries + 1;
  const mayExist = post.status === 'unsure';
  return { status: 'posting', tries: attempt, attempt, until: now + POST_CLAIM_MS, mayExist };
}

/** A worker died, or its call never came back: whether the message exists is unknown. */
export function expirePosting(post: Post, now: Millis): Post {
  if (post.status !== 'posting' || now < post.until) return post;
  return { status: 'unsure', tries: post.tries, notBefore: now };
}

/** Takes the outcome of a posting, late ones too: the first one that shows the message to exist decides. */
export function settlePosting(post: Post, attempt: number, outcome: PostOutcome, now: Millis, quietMs: number): Post {
  if (post.status === 'posted' || post.status === 'gone') return post;
  if (outcome.kind === 'posted')
    return { status: 'posted', ts: outcome.ts, shown: outcome.shown, tries: 0, notBefore: now + quietMs };
  if (post.status !== 'posting' || post.attempt !== attempt) return post;
  switch (outcome.kind) {
    case 'gone':
      return { status: 'gone', ts: null };
    case 'unknown':
      return { status: 'unsure', tries: post.tries, notBefore: now + backoffMs(post.tries, RETRY) };
    case 'later': {
      const status = post.mayExist ? 'unsure' : 'due';
      return { status, tries: post.tries, notBefore: now + retryMs(outcome, post.tries) };
    }
  }
}

/** Takes the outcome of an update of a message that exists. `quietMs` is how long the next update waits for company. */
export function settleUpdate(post: Post, outcome: PostOutcome, now: Millis, quietMs: number): Post {
  if (post.status !== 'posted') return post;
  switch (outcome.kind) {
    case 'posted':
      return { ...post, shown: outcome.shown, tries: 0, notBefore: now + quietMs };
    case 'gone':
      return { status: 'gone', ts: post.ts };
    case 'later':
    case 'unknown':
      return { ...post, tries: post.tries + 1, notBefore: now + retryMs(outcome, post.tries) };
  }
}

function retryMs(outcome: PostOutcome, tries: number): number {
  const backoff = backoffMs(tries, RETRY);
  return outcome.kind === 'later' && outcome.waitMs !== null ? outcome.waitMs : backoff;
}

/** Where the message is, if it was ever posted. */
export function tsOf(post: Post): string | null {
  return post.status === 'posted' || post.status === 'gone' ? post.ts : null;
}
