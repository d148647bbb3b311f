import type { Logger } from 'pino';
import type { Facts } from '../../core/approval/policy/facts.ts';
import type { Crew, RulesOf } from '../../core/crew.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { ActivityLog, ExecutionStore, OutputStore } from '../../core/ports.ts';
import type { Credentials } from '../credentials.ts';
import type { Refs } from '../refs.ts';

/** What the webhooks need from the rest of the bot. */
export interface WebhookContext {
  executions: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
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
  status: 200 | 400 | 403 | 404 | 409 | 503;
  body: { status: string; message?: string };
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
