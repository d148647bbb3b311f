import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { hasText, type LimitMet } from '../../core/execution/limits.ts';
import type { Crew, RulesOf } from '../../core/policy/crew.ts';
import type { ActivityLog, Changed, ExecutionStore, HourlyCounts, OutputStore } from '../../core/ports.ts';
import type { Execution, Limit, Transition } from '../../core/state/execution.ts';
import type { Output } from '../../core/state/request.ts';
import { refuse } from '../../core/values/result.ts';
import type { Millis } from '../../core/values/time.ts';
import type { AddressSeal } from '../asks/askers.ts';
import type { Credentials, Refs } from '../credentials.ts';

/** The parts of the bot that webhooks use. */
export interface WebhookContext {
  executions: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  hourlyCounts: HourlyCounts;
  credentials: Credentials;
  refs: Refs;
  crews: readonly Crew[];
  rulesOf: RulesOf;
  /** Returns the id of the channel for the crew's adopted executions; null if none is configured. May throw if Slack is unreachable. */
  channelOf(crew: string): Promise<string | null>;
  /** Counts the webhooks that wait for their answer. The worker's own work goes after them. */
  pendingRequests: { begin(): () => void };
  /** Posts in the crew's channel what has no thread of its own. */
  report(event: WebhookReport): Promise<void>;
  addresses: AddressSeal;
  /** Counts a refused request of an execution started elsewhere. */
  countRefused(crew: string): void;
  /** Length of the longest output that people can read in Slack, in UTF-16 code units. A longer one becomes a file. */
  readableLength: number;
  log: Logger;
}

export type WebhookReport = {
  crew: string;
  /** The execution at whose address it arrived; null if it arrived at the crew's. */
  ref: string | null;
} & (
  | /** A request for human input has an unknown shape; it is stored verbatim. */
  { kind: 'unreadable-request'; keys: string[] }
  /** A flow wants its answer at a forbidden address. `host` is '' if no operator could allow it. */
  | { kind: 'unanswerable-request'; host: string }
);

export interface WebhookAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 413 | 429 | 503;
  body: { status: string; message?: string };
  retryAfterS?: number;
}

/** Takes a notification from an authenticated sender; null if the signature isn't for this body. Throws only on a fault of our own. */
export type WebhookReceiver = (body: Buffer) => Promise<WebhookAnswer | null>;

/** Answers 200 with the outcome of a notification. Repeated and late ones are fine, too. */
export function done(status: string): WebhookAnswer {
  return { status: 200, body: { status } };
}

export const UNKNOWN_EXECUTION: WebhookAnswer = {
  status: 404,
  body: { status: 'unknown', message: 'This execution is unknown or has expired.' },
};

/** Refuses a crew's request in the execution of a program's or workflow's ask. */
export const TAKES_NO_REQUESTS: WebhookAnswer = {
  status: 409,
  body: { status: 'refused', message: 'A program or a workflow has asked this. It takes no other requests.' },
};

/** Refuses a notification above a limit of its run. */
export function beyondLimit({ log }: WebhookContext, ref: string, { limit, isFirst }: LimitMet): WebhookAnswer {
  log[isFirst ? 'warn' : 'debug']({ ref, limit }, 'refused what is beyond a limit of its run');
  const { message, ...answer } = BEYOND[limit];
  return { ...answer, body: { status: 'refused', message } };
}

const BEYOND: Record<Limit, Pick<WebhookAnswer, 'status' | 'retryAfterS'> & { message: string }> = {
  'open-requests': { status: 429, retryAfterS: 60, message: 'Too many requests of this execution are open.' },
  rounds: { status: 429, message: 'This task has asked too often.' },
  requests: { status: 429, message: 'This execution has asked too often.' },
  texts: { status: 413, message: 'The texts of this execution are too large.' },
};

export function tooOften(endsInMs: Millis): WebhookAnswer {
  const message = 'Too much within an hour.';
  return { status: 429, retryAfterS: Math.max(1, Math.ceil(endsInMs / 1_000)), body: { status: 'refused', message } };
}

/**
 * Runs a transition that may take a text into the record. The text is stored before the record names it, and only if it does: the text
 * of a repeated or refused notification leaves nothing behind.
 */
export async function changeWithText<Refusal>(
  { executions, outputs }: { executions: ExecutionStore; outputs: OutputStore },
  { ref, text }: { ref: string; text: string },
  transitionFor: (output: Output) => Transition<Refusal>,
): Promise<Changed<Refusal>> {
  const output = { hash: createHash('sha256').update(text).digest('hex'), length: text.length };
  const transition = transitionFor(output);
  const first = await executions.change<Refusal | 'not-stored'>(ref, (execution, now) => {
    const result = transition(execution, now);
    const isTaken = result.ok && hasText(result.value, output) && !hasText(execution, output);
    return isTaken ? refuse('not-stored') : result;
  });
  if (first.kind !== 'refused') return first;
  const { refusal, execution } = first;
  if (refusal !== 'not-stored') return { kind: 'refused', refusal, execution };
  return executions.change(ref, transitionFor(await outputs.put(ref, text)));
}

type Ids = { kickoffId: string | null; executionId?: string | null };

export function idsOf({ kickoffId, executionId }: Ids): string[] {
  return [...new Set([executionId ?? null, kickoffId])].filter((id) => id !== null);
}

/** Links a notification's ids to its execution, so that a notification without our address finds it as well. */
export async function linkIds(store: ExecutionStore, execution: Execution, ids: Ids): Promise<void> {
  const { crew, ref } = execution;
  await Promise.all(idsOf(ids).map((id) => store.linkId(crew, id, ref)));
}

/** Links only ids that are new to the execution, for frequent notifications. */
export async function linkNewIds(
  store: ExecutionStore,
  { before, after }: { before: Execution; after: Execution },
  { kickoffId }: Ids,
): Promise<void> {
  if (kickoffId === null || before.kickoffIds.includes(kickoffId) || !after.kickoffIds.includes(kickoffId)) return;
  await store.linkId(after.crew, kickoffId, after.ref);
}
