import type { Json } from './json.ts';

/** A Slack rule that a request broke, and its documentation. */
export type BrokenRule = { code: string; detail: string; documentation: string };

/** One request between the app and the workspace, in either direction. Tokens and signatures are redacted. */
export type WireEntry = {
  seq: number;
  /** The start, in milliseconds since the epoch. */
  at: number;
  direction: 'to-app' | 'from-app';
  transport: 'http' | 'socket';
  /** A Web API method (`chat.postMessage`), or what was delivered (`block_actions`, `slash_commands`, `response_url`). */
  name: string;
  request: Json;
  /** Absent if there was none. */
  response?: Json;
  status?: number;
  tookMs: number;
  outcome: 'ok' | 'error' | 'timeout' | 'dropped' | 'unreachable';
  /** Slack's error name, e.g. `invalid_blocks`. */
  error?: string;
  broken: BrokenRule[];
};
