import type { Logger } from 'pino';
import type { Facts } from '../../core/approval/policy/facts.ts';
import type { Crew, RulesOf } from '../../core/crew.ts';
import type { Execution, Limit } from '../../core/execution/execution.ts';
import type { LimitMet } from '../../core/execution/limits.ts';
import type { ActivityLog, ExecutionStore, HourlyCounts, OutputStore } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import type { Credentials } from '../credentials.ts';
import type { Refs } from '../refs.ts';

/** What the webhooks need from the rest of the bot. */
export interface WebhookContext {
  executions: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  hourlyCounts: HourlyCounts;
  credentials: Credentials;
  refs: Refs;
  crews: readonly Crew[];
  rulesOf: RulesOf;
  /** What the rules of a run have to know about these people, as far as Slack can tell. */
  factsAbout(execution: Execution, people: readonly string[]): Promise<Facts>;
  /** The id of the channel for the crew's adopted executions; null if none is configured. May throw if Slack is unreachable. */
  channelOf(crew: string): Promise<string | null>;
  /** Has the worker of this process look at the execution at once. */
  wake(ref: string): void;
  /** Tells the crew's channel what has no thread to be shown in. */
  report(unreadable: WebhookReport): Promise<void>;
  /** Counts a request that was refused since its execution was started elsewhere. */
  countRefused(crew: string): void;
  /** The longest output that people can read in Slack, in UTF-16 code units; a longer one is attached as a file. */
  readableLength: number;
  log: Logger;
}

/** A request for human input had a shape that we can't read; it is stored verbatim. */
export interface WebhookReport {
  kind: 'unreadable-request';
  crew: string;
  /** The execution at whose address it arrived; null if it arrived at the crew's. */
  ref: string | null;
  keys: string[];
}

export interface WebhookAnswer {
  status: 200 | 400 | 403 | 404 | 409 | 413 | 429 | 503;
  body: { status: string; message?: string };
  /** When it is worth sending it again. */
  retryAfterS?: number;
}

/** Takes a notification from an authenticated sender. Throws only on a fault of our own. */
export type WebhookReceiver = (body: Buffer) => Promise<WebhookAnswer>;

/** Answers 200 with what became of the notification: repeated and late ones are fine, too. */
export function done(status: string): WebhookAnswer {
  return { status: 200, body: { status } };
}

export const UNKNOWN_EXECUTION: WebhookAnswer = {
  status: 404,
  body: { status: 'unknown', message: 'This execution is unknown or has expired.' },
};

/** For what is beyond a limit of its run. */
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

/** For what is too much within an hour, however it is sent. */
export function tooOften(endsInMs: Millis): WebhookAnswer {
  const message = 'Too much within an hour.';
  return { status: 429, retryAfterS: Math.max(1, Math.ceil(endsInMs / 1_000)), body: { status: 'refused', message } };
}
