// The most that one run may take of what all runs share. No honest run comes near. Signoff refuses anything above, and says so once in
// the thread.

import { askThreadOf, type Execution, type Limit } from '../state/execution.ts';
import { isOpen, type Output } from '../state/request.ts';
import type { HumanInputRequest } from './events.ts';

export const MOST_OPEN_REQUESTS = 50;
export const MOST_ROUNDS = 100;
export const MOST_REQUESTS = 1_000;
/** Length in UTF-16 units, over all texts of the run. */
const MOST_TEXT = 100 * 1_048_576;
export const MOST_KICKOFF_IDS = 2_000;

/** UTF-16 units that one crew may send in an hour about runs started elsewhere, of which it can invent any number. */
export const MOST_FROM_ELSEWHERE = 512 * 1_048_576;
/** A run takes this much besides its texts. */
const LEAST_FROM_ELSEWHERE = 1_024;
/** Requests in an unknown format at the addresses of one run, within an hour. */
export const MOST_UNREADABLE = 20;

/** Returns how much a notification counts towards `MOST_FROM_ELSEWHERE`. */
export function weightOf(text: string): number {
  return LEAST_FROM_ELSEWHERE + text.length;
}

export interface LimitMet {
  kind: 'beyond-limit';
  limit: Limit;
  isFirst: boolean;
}

/** A refusal that changes the execution as well. */
interface Refused {
  ok: false;
  refusal: LimitMet;
  after: Execution;
}

/** Refuses a new request above a limit; null if it may open. */
export function refuseRequest(execution: Execution, { taskId, output }: HumanInputRequest): Refused | null {
  const { requests } = execution;
  const rounds = requests.filter((request) => request.question.taskId === taskId);
  const others = requests.filter((request) => request.question.taskId !== taskId && isOpen(request));
  if (others.length >= MOST_OPEN_REQUESTS) return refused(execution, 'open-requests');
  if (rounds.length >= MOST_ROUNDS) return refused(execution, 'rounds');
  if (requests.length >= MOST_REQUESTS) return refused(execution, 'requests');
  return refuseText(execution, output);
}

/** Refuses a text above the limit for all texts of a run; null if it fits. */
export function refuseText(execution: Execution, output: Output): Refused | null {
  const texts = textsOf(execution).set(output.hash, output.length);
  const length = Array.from(texts.values()).reduce((sum, each) => sum + each, 0);
  return length > MOST_TEXT ? refused(execution, 'texts') : null;
}

/** Returns true if the record names a text, which is stored beside it then. */
export function hasText(execution: Execution, { hash }: Output): boolean {
  return textsOf(execution).has(hash);
}

/** Returns the lengths of all texts that the record names, by their hash. */
function textsOf({ requests, tasks, run, origin }: Execution): Map<string, number> {
  const result = run.status === 'completed' ? run.result : null;
  const questionTexts = requests.flatMap(({ question: { output, edited } }) =>
    edited ? [output, edited.of] : [output],
  );
  const before = askThreadOf({ origin })?.before?.text ?? null;
  const all = [...questionTexts, ...tasks.map(({ output }) => output), result, before];
  return new Map(all.filter((each) => each !== null).map(({ hash, length }) => [hash, length]));
}

function refused(execution: Execution, limit: Limit): Refused {
  const isFirst = !execution.limitsMet.includes(limit);
  const after = isFirst ? { ...execution, limitsMet: [...execution.limitsMet, limit] } : execution;
  return { ok: false, refusal: { kind: 'beyond-limit', limit, isFirst }, after };
}
