import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { KickoffDoubt } from '../../core/execution/execution.ts';
import { plainLine } from '../payload/plain-text.ts';
import type { CallOutcome } from './call.ts';
import { type ErrorAnswer, parseError } from './parse-answer.ts';

/** What an outcome means for a call that must not be made twice by guess. */
export type Verdict =
  | { kind: 'success'; text: string }
  | { kind: 'refused'; status: number; code: CrewRefusal; error: ErrorAnswer }
  | { kind: 'unavailable'; waitMs: number | null }
  | { kind: 'unknown'; doubt: Extract<KickoffDoubt, 'no-answer' | 'server-error'> };

/**
 * `unavailable` only where surely nothing happened: nothing was sent, or the service said so with 429 or 503. A redirect
 * and any other 4xx is a refusal. All else, a timeout or another 5xx, proves nothing.
 */
export function judge(outcome: CallOutcome): Verdict {
  switch (outcome.kind) {
    case 'not-sent':
      return { kind: 'unavailable', waitMs: null };
    case 'no-answer':
      return { kind: 'unknown', doubt: 'no-answer' };
    case 'answered':
      return judgeAnswer(outcome);
  }
}

type Answer = Extract<CallOutcome, { kind: 'answered' }>;

function judgeAnswer(answer: Answer): Verdict {
  const { status, text } = answer;
  if (status >= 200 && status < 300) return { kind: 'success', text: text ?? '' };
  if (status === 429 || status === 503) return judgeLimit(answer);
  if (status >= 300 && status < 500) return refused(answer);
  return { kind: 'unknown', doubt: 'server-error' };
}

/** A spent quota without an end in sight is a refusal that people are told of; anything else ends by waiting. */
function judgeLimit(answer: Answer): Verdict {
  const waitMs = retryAfterMs(answer.headers);
  if (waitMs === null && answer.status === 429 && parseError(answer.text ?? '').isQuota) return refused(answer);
  return { kind: 'unavailable', waitMs };
}

function refused(answer: Answer): Verdict {
  const { status, headers } = answer;
  const error = parseError(answer.text ?? '');
  const code = refusalCode(status, error);
  const { location } = headers;
  if (status >= 400 || location === undefined) return { kind: 'refused', status, code, error };
  const detail = plainLine(`The service redirects to ${location}`, 300);
  return { kind: 'refused', status, code, error: { ...error, detail } };
}

/** What a person can do about a refusal (specification, section 7). */
export function refusalCode(status: number, { isQuota, missingInputs }: ErrorAnswer): CrewRefusal {
  if (isQuota || status === 402) return 'quota';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not-found';
  if (status === 422) return missingInputs.length > 0 ? 'missing-inputs' : 'bad-request';
  return status === 400 ? 'bad-request' : 'other';
}

const SHORTEST_WAIT_MS = 1_000;
/** A decision must not wait longer for a service that names an absurd time. */
const LONGEST_WAIT_MS = 60_000;

/** `Retry-After` in seconds or as a date, within bounds: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
export function retryAfterMs(headers: Answer['headers']): number | null {
  const value = headers['retry-after']?.trim();
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : untilMs(value, headers.date);
  return ms === null ? null : Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, ms));
}

/** By the service's own clock where it tells it. */
function untilMs(date: string, serviceDate: string | undefined): number | null {
  const at = Date.parse(date);
  const from = serviceDate === undefined ? Number.NaN : Date.parse(serviceDate);
  if (Number.isNaN(at)) return null;
  return at - (Number.isNaN(from) ? Date.now() : from);
}
