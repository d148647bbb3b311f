import {
  SlackError,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { PostOutcome } from '../../core/state/post.ts';

/** The message no longer exists. https://docs.slack.dev/reference/methods/chat.update#errors */
const GONE = new Set(['message_not_found', 'file_deleted']);

/** The message exists, but can't be changed any more, for example because of the workspace's setting about editing. */
const FROZEN = new Set(['cant_update_message', 'edit_window_closed']);

/** Slack itself says that "some aspect of the operation" may have succeeded. */
const MAYBE_DONE = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

/** Codes of errors after which nothing was sent, since no connection was made. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Slack is too busy, or we are too fast. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const BUSY = new Set(['rate_limited', 'ratelimited']);

/**
 * Words in the names of the errors by which Slack refuses what a message or view contains, documented (`invalid_blocks`,
 * `msg_blocks_too_long`, `msg_too_long`) or not. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const CONTENT = new Set(['attachment', 'attachments', 'block', 'blocks', 'markdown', 'msg', 'table', 'tables', 'text']);
const TOO_LARGE = /_too_(?:large|long)$/;
/** Slack's validation names the place of each problem, e.g. `[json-pointer:/view/blocks/0/text]`. */
const CONTENT_POINTER = /json-pointer:\/(?:view\/)?(?:blocks|text|title)/;

/** The token doesn't work, whatever it is used for. https://docs.slack.dev/reference/methods/auth.test#errors */
const TOKEN = new Set(['account_inactive', 'invalid_auth', 'not_authed', 'token_expired', 'token_revoked']);

/** A person doesn't wait longer for an answer. */
const SOON_MS = 60_000;

type Failure = Exclude<PostOutcome, { kind: 'posted' | 'content-refused' }>;

/** Returns what a failed Web API call proves, whatever it contained. Rethrows our own faults. */
export function outcomeOf(error: unknown): Failure {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'later', waitMs: retryAfterMs(error) };
  if (error instanceof WebAPIPlatformError) return platformOutcome(error.data.error);
  if (error instanceof WebAPIHTTPError) return { kind: 'unknown' };
  if (error instanceof WebAPIRequestError)
    return isSent(error.original) ? { kind: 'unknown' } : { kind: 'later', waitMs: null };
  throw error;
}

/** Returns true if a failed call may succeed within a minute: Slack is down or busy, or nobody knows. */
export function mayPassSoon(error: unknown): boolean {
  if (!(error instanceof SlackError)) return false;
  const outcome = outcomeOf(error);
  return outcome.kind === 'unknown' || (outcome.kind === 'later' && (outcome.waitMs ?? 0) < SOON_MS);
}

/** Returns true if Slack refused the content of a call. It would refuse the same content again, but maybe not a plainer one. */
export function isContentRefusal(error: unknown): boolean {
  if (!(error instanceof WebAPIPlatformError)) return false;
  return isContentError(error.data.error, error.data.response_metadata?.messages ?? []);
}

export function isContentError(name: string, messages: readonly string[]): boolean {
  if (TOO_LARGE.test(name) || name.split('_').some((word) => CONTENT.has(word))) return true;
  return name === 'invalid_arguments' && messages.some((each) => CONTENT_POINTER.test(each));
}

export function isTokenError(name: string | null | undefined): boolean {
  return TOKEN.has(name ?? '');
}

/** Returns Slack's name for an error; null if the call failed in another way. */
export function slackErrorName(error: unknown): string | null {
  return error instanceof WebAPIPlatformError ? error.data.error : null;
}

type CallFailure =
  | { kind: 'rate-limited' | 'unavailable'; answer: string; waitMs: number | null }
  | { kind: 'refused'; name: string }
  /** Something other than Slack's API answered. */
  | { kind: 'foreign'; answer: string }
  | { kind: 'unreached' };

export function callFailureOf(error: unknown): CallFailure {
  const waitMs = retryAfterMs(error);
  if (error instanceof WebAPIRateLimitedError) return { kind: 'rate-limited', answer: '429', waitMs };
  if (error instanceof WebAPIRequestError) return { kind: 'unreached' };
  if (error instanceof WebAPIHTTPError) {
    const answer = String(error.statusCode);
    return error.statusCode >= 500 ? { kind: 'unavailable', answer, waitMs } : { kind: 'foreign', answer };
  }
  // The client takes a body that isn't JSON for the name of an error.
  const name = slackErrorName(error) ?? '';
  if (!/^\w+$/.test(name)) return { kind: 'foreign', answer: 'not readable' };
  if (BUSY.has(name)) return { kind: 'rate-limited', answer: name, waitMs };
  return MAYBE_DONE.has(name) ? { kind: 'unavailable', answer: name, waitMs } : { kind: 'refused', name };
}

/** Returns how long Slack asks us to wait; null if it doesn't say. https://docs.slack.dev/apis/web-api/rate-limits */
export function retryAfterMs(error: unknown): number | null {
  if (error instanceof WebAPIRateLimitedError) return error.retryAfter * 1000;
  const seconds = error instanceof WebAPIHTTPError ? Number(error.headers['retry-after']) : Number.NaN;
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function platformOutcome(name: string): Failure {
  if (GONE.has(name)) return { kind: 'gone' };
  if (FROZEN.has(name)) return { kind: 'frozen' };
  if (MAYBE_DONE.has(name)) return { kind: 'unknown' };
  return BUSY.has(name) ? { kind: 'later', waitMs: null } : { kind: 'refused' };
}

function isSent(error: Error): boolean {
  const code = errorCode(error) ?? errorCode(error.cause);
  return code === null || !NOT_SENT.has(code);
}

/** Returns the code of an error of Node.js or undici, such as `ECONNREFUSED`; null if it has none. */
export function errorCode(value: unknown): string | null {
  return value instanceof Error && 'code' in value && typeof value.code === 'string' ? value.code : null;
}
