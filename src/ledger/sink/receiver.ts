import type { Batch } from './batch.ts';

// The types that all kinds of sinks share.

/** AUDIT_SINK: where sealed entries go besides Redis. Any part of it but a host may be secret. */
export type SinkSettings =
  | { kind: 'webhook'; url: string }
  | {
      kind: 's3';
      /** Address of the bucket, without a trailing slash. */
      bucketUrl: string;
      /** Prefix of object names; empty, or ends with a slash. */
      prefix: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string | null };
    };

/** The outcome of a request. Only `taken` means that the data is safe there. */
export type Outcome =
  | { kind: 'taken' }
  /** `code`: the storage's error code. */
  | { kind: 'refused'; status: number; code: string | null }
  | { kind: 'no-answer'; reason: string };

/** The receiving side of a sink. No method rejects or follows redirects, and each ends in a bounded time. */
export interface Receiver {
  /** A place keeps its id even with other credentials. */
  id: string;
  /** The only part of its address that may be shown. */
  host: string;
  /** Largest batch. */
  mostBytes: number;
  send(batch: Batch, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Newest first. */
  secrets: readonly string[];
  /** Days to keep objects in a bucket with object lock, unless the bucket says how long. */
  auditDays: number;
  /** Time limit of one request with its whole answer. */
  answerMs?: number | undefined;
}

/** Returns the outcome in words that follow the name of a sink: `answers 403 (AccessDenied)`. */
export function inWords(outcome: Exclude<Outcome, { kind: 'taken' }>): string {
  if (outcome.kind === 'no-answer') return `doesn't answer (${outcome.reason})`;
  return `answers ${outcome.status}${outcome.code === null ? '' : ` (${outcome.code})`}`;
}
