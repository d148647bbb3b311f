import type { Batch } from './batch.ts';

// What a sink is made of, whichever kind it is.

/** Where sealed entries go besides Redis, as an operator sets it. Any part of it but a host may be secret. */
export type SinkSettings =
  | { kind: 'webhook'; url: string }
  | {
      kind: 's3';
      /** The address of the bucket, without a trailing slash. */
      bucketUrl: string;
      /** What the names of objects begin with; empty, or ends with a slash. */
      prefix: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string | null };
    };

/** What came of sending something. Only that something was taken means that it is safe there. */
export type Outcome =
  | { kind: 'taken' }
  /** `code`: how storage calls the reason. */
  | { kind: 'refused'; status: number; code: string | null }
  | { kind: 'no-answer'; reason: string };

/** Takes batches. None of its methods rejects or follows redirects, and each ends in a bounded time. */
export interface Receiver {
  /** Always the same for the same place, however its credentials change. */
  id: string;
  /** All that may be said of its address. */
  host: string;
  /** How large a batch may be. */
  mostBytes: number;
  send(batch: Batch, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Newest first. */
  secrets: readonly string[];
  /** How long objects are kept where the bucket has object lock and doesn't say. */
  auditDays: number;
  /** How long one request may take, with its whole answer. */
  answerMs?: number | undefined;
}

/** After the name of a sink: `answers 403 (AccessDenied)`. */
export function inWords(outcome: Exclude<Outcome, { kind: 'taken' }>): string {
  if (outcome.kind === 'no-answer') return `doesn't answer (${outcome.reason})`;
  return `answers ${outcome.status}${outcome.code === null ? '' : ` (${outcome.code})`}`;
}
