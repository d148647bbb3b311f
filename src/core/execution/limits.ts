import { isOpen, type Output } from '../state/approval.ts';
import { askThreadOf, type Execution, type Limit } from '../state/execution.ts';
import type { HumanInputRequest } from './events.ts';

/** What one run may take of what all runs share. No honest run comes near. */
export const MOST_OPEN_REQUESTS = 50;
export const MOST_ROUNDS = 100;
export const MOST_REQUESTS = 1_000;
/** In UTF-16 units, over all texts of the run. */
const MOST_TEXT = 100 * 1_048_576;
export const MOST_KICKOFF_IDS = 2_000;

/** What one crew may send within an hour about runs that were started elsewhere: it can make up any number. In UTF-16 units. */
export const MOST_FROM_ELSEWHERE = 512 * 1_048_576;
/** The least that a notification counts for, as its run takes that much besides its text. */
const LEAST_FROM_ELSEWHERE = 1_024;
/** Requests in an unknown format at the addresses of one run, within an hour. */
export const MOST_UNREADABLE = 20;

/** What a notification about a run that was started elsewhere counts for. */
export function weightOf(text: string): number {
  return LEAST_FROM_ELSEWHERE + text.length;
}

/** A run has met a limit. What is beyond it is refused, and the thread says so once. */
export interface LimitMet {
  kind: 'beyond-limit';
  limit: Limit;
  isFirst: boolean;
}

/** What a transition does with what is beyond a limit. */
interface Refused {
  ok: false;
  refusal: LimitMet;
  after: Execution;
}

/** Why a new request is one too many; null if it isn't. */
export function refuseRequest(execution: Execution, { taskId, output }: HumanInputRequest): Refused | null {
  const { approvals } = execution;
  const rounds = approvals.filter((approval) => approval.taskId === taskId);
  const others = approvals.filter((approval) => approval.taskId !== taskId && isOpen(approval));
  if (others.length >= MOST_OPEN_REQUESTS) return refused(execution, 'open-requests');
  if (rounds.length >= MOST_ROUNDS) return refused(execution, 'rounds');
  if (approvals.length >= MOST_REQUESTS) return refused(execution, 'requests');
  return refuseText(execution, output);
}

/** The same for a text, whatever it is. */
export function refuseText(execution: Execution, output: Output): Refused | null {
  const texts = textsOf(execution).set(output.hash, output.length);
  const length = Array.from(texts.values()).reduce((sum, each) => sum + each, 0);
  return length > MOST_TEXT ? refused(execution, 'texts') : null;
}

/** Whether the record names a text, which is stored then. */
export function hasText(execution: Execution, { hash }: Output): boolean {
  return textsOf(execution).has(hash);
}

/** The lengths of all texts that the record names, by their hash. */
function textsOf({ approvals, tasks, run, origin }: Execution): Map<string, number> {
  const result = run.status === 'completed' ? run.result : null;
  const asked = approvals.flatMap(({ output, edited }) => (edited ? [output, edited.of] : [output]));
  const before = askThreadOf({ origin })?.before?.text ?? null;
  const all = [...asked, ...tasks.map(({ output }) => output), result, before];
  return new Map(all.filter((each) => each !== null).map(({ hash, length }) => [hash, length]));
}

function refused(execution: Execution, limit: Limit): Refused {
  const isFirst = !execution.limitsMet.includes(limit);
  const after = isFirst ? { ...execution, limitsMet: [...execution.limitsMet, limit] } : execution;
  return { ok: false, refusal: { kind: 'beyond-limit', limit, isFirst }, after };
}
