import type { Logger } from 'pino';
import type { Crew } from '../../core/crew.ts';
import type { ActivityLog, ExecutionStore, OutputStore } from '../../core/ports.ts';
import type { Credentials } from '../credentials.ts';
import type { Refs } from '../refs.ts';

/** What the webhooks need of the rest of the bot. */
export interface WebhookContext {
  executions: ExecutionStore;
  outputs: OutputStore;
  activity: ActivityLog;
  credentials: Credentials;
  refs: Refs;
  crews: readonly Crew[];
  /** The id of the channel that the crew's own threads go into; null where none is configured. May throw when Slack is away. */
  channelOf(crew: string): Promise<string | null>;
  /** The execution owes something new: a worker of this process looks at once. */
  wake(ref: string): void;
  /** Tells the crew's channel what can't be shown anywhere else. */
  report(news: WebhookReport): Promise<void>;
  log: Logger;
}

/** A request for human input came in a shape that we can't read; it is stored as it came. */
export interface WebhookReport {
  kind: 'unreadable-request';
  crew: string;
  /** The execution whose address it came in by, if it was that of one. */
  ref: string | null;
  keys: string[];
}

export interface WebhookAnswer {
  status: 200 | 400 | 404 | 409 | 503;
  body: { status: string; message?: string };
}

/** Takes one notification whose sender has shown who it is. Throws only what is a fault of ours. */
export type WebhookReceiver = (body: Buffer) => Promise<WebhookAnswer>;

/** What happened to a notification, for a sender that reads the answer: repeated and late ones are fine too. */
export function done(status: string): WebhookAnswer {
  return { status: 200, body: { status } };
}

export const UNKNOWN_EXECUTION: WebhookAnswer = {
  status: 404,
  body: { status: 'unknown', message: 'This execution is not known here, or no longer.' },
};
