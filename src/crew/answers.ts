// Judges what a crew service's answer proves. The client and the callbacks to programs judge each call here.

import type { KickoffAnswer, ResumeAnswer, TokenAnswer, Unread } from '../core/execution/events.ts';
import type { KickoffDoubt } from '../core/state/execution.ts';
import type { CrewRefusal, Unavailability } from '../core/state/request.ts';
import type { Json } from '../core/values/json.ts';
import type { CallOutcome } from './call.ts';
import { candidates, idField, isJsonObject, outputText, own, parseJsonBody, pick, plainLine } from './payload.ts';

/** The meaning of an outcome for a call that must never be repeated by guess. */
export type Verdict =
  | { kind: 'success'; text: string }
  | { kind: 'refused'; status: number; code: CrewRefusal; error: ErrorAnswer }
  | { kind: 'unavailable'; reason: Unavailability; waitMs: number | null }
  | { kind: 'unknown'; doubt: Extract<KickoffDoubt, 'no-answer' | 'server-error'> };

interface ServiceManner {
  /** Any 503 of this crew says that nothing happened: its operator knows the proxy. */
  retry503?: boolean;
  /** Limits `Retry-After`. Default: a minute, so that a decision doesn't wait for hours. */
  longestWaitMs?: number;
}

/**
 * Judges an outcome. `unavailable`: certainly nothing happened, since nothing was sent or the service said so with 429, or 503 and
 * `Retry-After`. A redirect or any other 4xx is a refusal. Anything else, such as a timeout or another 5xx, proves nothing: proxies
 * (Envoy, Istio, Heroku) also answer 503 if the connection broke after they had forwarded the call.
 */
export function judge(outcome: CallOutcome, manner: ServiceManner = {}): Verdict {
  switch (outcome.kind) {
    case 'not-sent':
      return { kind: 'unavailable', reason: 'unreachable', waitMs: null };
    case 'no-answer':
      return { kind: 'unknown', doubt: 'no-answer' };
    case 'answered':
      return judgeAnswer(outcome, manner);
  }
}

type Answer = Extract<CallOutcome, { kind: 'answered' }>;

function judgeAnswer(answer: Answer, { retry503 = false, longestWaitMs = LONGEST_WAIT_MS }: ServiceManner): Verdict {
  const { status, text, headers } = answer;
  if (status >= 200 && status < 300) return { kind: 'success', text: text ?? '' };
  const waitMs = retryAfterMs(headers, longestWaitMs);
  if (status === 429) {
    // An exhausted quota without Retry-After is a refusal for people; any other limit passes by waiting.
    const isQuota = waitMs === null && parseError(text ?? '').isQuota;
    return isQuota ? refused(answer) : { kind: 'unavailable', reason: 'busy', waitMs };
  }
  if (status === 503 && (waitMs !== null || retry503)) return { kind: 'unavailable', reason: 'busy', waitMs };
  if (status >= 300 && status < 500) return refused(answer);
  return { kind: 'unknown', doubt: 'server-error' };
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

/** Returns the code of a refusal, by which people know what to do (specification, section 7). */
function refusalCode(status: number, { isQuota, missingInputs }: ErrorAnswer): CrewRefusal {
  if (isQuota || status === 402) return 'quota';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return 'not-found';
  if (status === 422) return missingInputs.length > 0 ? 'missing-inputs' : 'bad-request';
  return status === 400 ? 'bad-request' : 'other';
}

/** Reads a kickoff's answer. A 2xx without an id may have started a run that nobody can refer to. */
export function kickoffAnswer(verdict: Verdict): KickoffAnswer {
  switch (verdict.kind) {
    case 'success': {
      const kickoffId = parseKickoffId(verdict.text);
      return kickoffId === null ? { kind: 'unknown', doubt: 'no-id' } : { kind: 'accepted', kickoffId };
    }
    case 'refused': {
      const { detail, missingInputs: missing } = verdict.error;
      return { kind: 'refused', refusal: { code: verdict.code, detail, missing } };
    }
    case 'unavailable':
    case 'unknown':
      return verdict;
  }
}

/** Reads a resume's answer. Any 2xx is an acceptance. */
export function resumeAnswer(verdict: Verdict): ResumeAnswer {
  switch (verdict.kind) {
    case 'success':
      return { kind: 'accepted', kickoffId: parseResumedId(verdict.text) };
    case 'refused': {
      const { code, status, error } = verdict;
      return { kind: 'refused', failure: { kind: 'refused', code, status, detail: error.detail } };
    }
    case 'unavailable':
      return verdict;
    case 'unknown':
      return { kind: 'unknown' };
  }
}

/** Returns the answer for a decision that can't be sent to its address. */
export function unsendable(detail: string): ResumeAnswer {
  return { kind: 'refused', failure: { kind: 'refused', code: 'other', status: 0, detail } };
}

/** Time until the next try for a crew that isn't configured. */
export const NOT_CONFIGURED_MS = 60_000;

/** Reads what `GET /inputs` with a person's own token says about that token. */
export function tokenAnswer(verdict: Verdict): TokenAnswer {
  switch (verdict.kind) {
    case 'success':
      return { kind: 'accepted' };
    case 'refused':
      return { kind: 'refused', code: verdict.code };
    case 'unavailable':
    case 'unknown':
      return unread(verdict);
  }
}

/** Returns why nothing was read. A service is unreachable only if it didn't answer. */
export function unread(verdict: Extract<Verdict, { kind: 'unavailable' | 'unknown' }>): Unread {
  if (verdict.kind === 'unavailable') return { kind: verdict.reason };
  return { kind: verdict.doubt === 'no-answer' ? 'unreachable' : 'error' };
}

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Reads `Retry-After`, in seconds or as a date, within bounds: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
function retryAfterMs(headers: Answer['headers'], longestWaitMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : untilMs(value, headers.date);
  return ms === null ? null : Math.min(longestWaitMs, Math.max(SHORTEST_WAIT_MS, ms));
}

/** Uses the service's own clock if it sends a date. */
function untilMs(date: string, serviceDate: string | undefined): number | null {
  const at = Date.parse(date);
  const from = serviceDate === undefined ? Number.NaN : Date.parse(serviceDate);
  if (Number.isNaN(at)) return null;
  return at - (Number.isNaN(from) ? Date.now() : from);
}

/** Returns the id in a 2xx answer to `POST /kickoff`; null if there is none. */
export function parseKickoffId(text: string): string | null {
  return firstId(text, ['kickoff_id', 'kickoffId', 'execution_id', 'executionId', 'id']);
}

/** Returns the new id in a 2xx answer to `POST /resume`; null if the run keeps its id. */
export function parseResumedId(text: string): string | null {
  return firstId(text, ['kickoff_id', 'kickoffId']);
}

function firstId(text: string, names: string[]): string | null {
  const body = parseJsonBody(text);
  for (const each of body ? candidates(body.value) : []) {
    const id = idField.parse(pick(each, ...names) ?? null);
    if (id !== null) return id;
  }
  return null;
}

/** The body of an error answer. */
interface ErrorAnswer {
  /** Plain text, one line, truncated. */
  detail: string;
  missingInputs: string[];
  /** Fields of our own request that are missing, unknown or wrong. */
  fields: string[];
  isQuota: boolean;
}

const DETAIL_LENGTH = 300;

/** Reads `detail ?? message ?? error`, or the text itself if it isn't JSON. */
export function parseError(text: string): ErrorAnswer {
  const body = parseJsonBody(text)?.value;
  const error = isJsonObject(body) ? pick(body, 'detail', 'message', 'error') : body;
  const problems = problemsOf(error);
  const sentence = problems.length > 0 ? problems.map(sentenceOf).join('; ') : outputText(innerText(error) ?? text);
  const missing = problems.filter(({ isMissing }) => isMissing);
  const inputs = missing.filter(({ path }) => path.includes('inputs')).flatMap(({ path }) => path.at(-1) ?? []);
  return {
    detail: plainLine(sentence, DETAIL_LENGTH),
    missingInputs: unique([
      ...listedInputs(body),
      ...inputsInText(sentence),
      ...inputs.filter((name) => name !== 'inputs'),
    ]),
    fields: problems.filter(({ path }) => !path.includes('inputs')).flatMap(({ path }) => path.filter(isField)),
    isQuota: /\bmonthly\b.{0,40}\blimit\b|\bexecution limit\b|\bquota\b/i.test(sentence),
  };
}

/** One entry of a validation error: https://fastapi.tiangolo.com/tutorial/handling-errors/ */
interface Problem {
  path: string[];
  message: string;
  /** False for a value that is there but wrong. */
  isMissing: boolean;
}

function problemsOf(error: Json | undefined): Problem[] {
  if (!Array.isArray(error)) return [];
  return error.slice(0, 50).flatMap((each) => {
    if (!isJsonObject(each)) return [];
    const path = pick(each, 'loc');
    const names = (Array.isArray(path) ? path : []).filter((part) => typeof part === 'string');
    const message = outputText(pick(each, 'msg', 'message'));
    const problem = `${outputText(pick(each, 'type'))} ${message}`.trim();
    return [{ path: names, message, isMissing: problem === '' || /\bmissing\b|\brequired\b/i.test(problem) }];
  });
}

function sentenceOf({ path, message }: Problem): string {
  const place = path.filter(isField).join('.');
  return place === '' ? message : `${place}: ${message}`;
}

function isField(part: string): boolean {
  return part !== 'body';
}

function innerText(error: Json | undefined): Json | undefined {
  return isJsonObject(error) ? (pick(error, 'message', 'detail', 'error') ?? error) : error;
}

function listedInputs(body: Json | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const places = [body, pick(body, 'details'), pick(body, 'detail'), pick(body, 'error')].filter(isJsonObject);
  const lists = places.map((place) => own(place, 'missing_inputs') ?? own(place, 'missingInputs'));
  return lists.filter((list) => Array.isArray(list)).flatMap((list) => list.filter((name) => typeof name === 'string'));
}

/** Reads `Missing inputs: topic, audience`, with or without quotes and brackets. */
function inputsInText(sentence: string): string[] {
  const [, list = ''] =
    /missing (?:required )?inputs?:?\s{1,20}([^;\n]{1,2000}?)(?:\.\s|\.?$|[;\n])/im.exec(sentence) ?? [];
  return list.split(',').map((name) => name.replace(/^[\s"'`[\](){}]+|[\s"'`[\](){}]+$/g, ''));
}

function unique(names: string[]): string[] {
  return [...new Set(names.map((name) => plainLine(name, 200)))].filter((name) => name !== '').slice(0, 50);
}
